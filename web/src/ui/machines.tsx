// Line drawings of machines, which stand where there is no photo, and which kind of equipment has which.
import { Drawing } from './icons';

const wheel = (x: number, y: number, r = 5) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0 ${r} ${r} 0 1 0-${2 * r} 0`;
const TRACK = 'M6 40h26a5 5 0 0 1 0 10H6a5 5 0 0 1 0-10Z';
const TRUCK = `M4 42h52V34l-7-8h-9v16${wheel(14, 45)}${wheel(46, 45)}`;
const CAB = 'M11 40V26h12l4 14';

const MACHINES = {
  // a crate: equipment of a kind that is not known (yet)
  neutral: 'M10 20 30 10l20 10v22L30 52 10 42ZM10 20l20 10 20-10M30 30v22',
  excavator: `${TRACK}${CAB}M25 30l14-18 14 9-4 14-9-3 2-6`,
  longReach: `${TRACK}${CAB}M25 30 36 8l20 18-1 12-6-2`,
  wheeledExcavator: `M6 38h32v5H6ZM11 38V25h12l4 13M25 29l14-17 14 9-4 14-9-3 2-6${wheel(13, 46)}${wheel(32, 46)}`,
  bucketWheel: `${TRACK}M18 40V18l24-4M18 18 6 30${wheel(46, 18, 9)}M46 9v18M37 18h18`,
  robot: 'M12 42h26a4 4 0 0 1 0 8H12a4 4 0 0 1 0-8ZM16 42V31h18v11M28 31 40 18l12 8-4 10M48 36v9M12 42 6 52M38 42l8 10',
  dozer: 'M14 40h28a5 5 0 0 1 0 10H14a5 5 0 0 1 0-10ZM18 40V30h22v10M26 30V18h14v12M14 44H8M8 30v20l-4 2V30Z',
  backhoe: `M12 36h32v6H12ZM22 36V20h14v16M12 38 5 34v12h5M44 34l4-18 8 12-4 10M52 38l-4 1${wheel(17, 45, 4)}${wheel(38, 43, 7)}`,
  loader: `M18 36V20h14l6 16M14 36h34v5H14ZM14 38 8 28M3 42V28h9M9 42H3${wheel(20, 43, 6)}${wheel(42, 43, 6)}`,
  skidSteer: `M16 40V20h22v20ZM20 20v12h12V20M38 24 22 30 10 40v8H4l2-8h4${wheel(22, 44)}${wheel(36, 44)}`,
  grader: `M8 34h14l6-6h26v8H28M30 28V16h12v12M28 36l-6 10 10 2${wheel(11, 42, 6)}${wheel(38, 43)}${wheel(50, 43)}`,
  dumper: `M6 34l4-16h26l-4 16ZM6 34h44v8H6M38 34V22h10l4 12${wheel(14, 44, 6)}${wheel(44, 44, 6)}`,
  carrier: 'M8 40h44a5 5 0 0 1 0 10H8a5 5 0 0 1 0-10ZM10 40V28h22v12M36 40V22h10l6 10v8',
  crane: `M5 40h50v6H5ZM12 40V30h14v10M16 30 50 8v10M50 18v9m-4 0h8v5h-8Z${wheel(14, 47)}${wheel(46, 47)}`,
  crawlerCrane: `${TRACK}M8 40V28h18v12M24 30 46 6M20 28l26-22v16m-3 0h6v5h-6Z`,
  spiderCrane: 'M22 36h16v8H22ZM26 36l-2-10 24-18v14m-3 0h6v5h-6ZM22 42 8 52M38 42l14 10M24 44l-6 8M36 44l6 8',
  towerCrane: 'M20 54V14M28 54V14M20 22l8 8-8 8 8 8-8 8M20 14l4-8 4 8M6 14h50M24 6 6 14M24 6l30 8M12 14v6h6v-6M48 14v14m-3 0h6v5h-6Z',
  pipelayer: `M8 40h28a5 5 0 0 1 0 10H8a5 5 0 0 1 0-10ZM12 40V28h16v12M26 40 48 12M20 28l28-16v16${wheel(48, 34, 6)}`,
  loaderCrane: `M4 42h52V32l-6-8h-8v18M4 42V34h32v8M38 34V18L22 8 10 16v8m-3 0h6v4H7Z${wheel(14, 45)}${wheel(46, 45)}`,
  boomLift: 'M8 42h36v6H8ZM14 42V34h14v8M20 34 46 16M42 8h14v10H42Z' + wheel(14, 48, 4) + wheel(38, 48, 4),
  scissorLift: `M10 42h40v6H10ZM14 42 46 30M46 42 14 30M14 30l32-12M46 30 14 18M10 18h40M12 18V8M48 18V8M12 8h36${wheel(17, 50, 3)}${wheel(43, 50, 3)}`,
  platformTruck: `M4 42h52V32l-6-8h-8v18${wheel(14, 45)}${wheel(46, 45)}M10 42v-6h10v6M14 36 34 20 18 10M8 4h12v8H8Z`,
  forklift: `M10 42V26h10l4-12h14l4 22v6ZM22 26h18M46 8v38M46 42h12M50 24h6v10h-6Z${wheel(17, 44)}${wheel(38, 44)}`,
  telehandler: `M8 38h40v5H8ZM18 38V26h12l4 12M10 32 52 12l4 6M54 14v10h-6${wheel(16, 45, 6)}${wheel(42, 45, 6)}`,
  roller: `M16 28h14l4 6h14M30 28V14h16v20M36 14v14${wheel(16, 40, 10)}${wheel(44, 42, 8)}`,
  tandemRoller: `M14 30h32v6H14ZM22 30V14h16v16M30 14v16${wheel(14, 42, 8)}${wheel(46, 42, 8)}`,
  plate: 'M8 46h30l6-6M10 46l-3-5M14 40h18v-12H14ZM32 32 50 12M46 10l8 4M20 28v-6h8v6',
  paver: `M14 38h34a5 5 0 0 1 0 10H14M4 24h18l4 14H8ZM26 38V28h20v10M32 28V14h14M46 28V14M48 40h8v8${wheel(16, 43)}`,
  milling: `M10 30h40v10H10ZM36 30V16h10v14M50 30 58 14M26 40l-3 3 3 3-3 3M34 40l3 3-3 3 3 3M25 46h10${wheel(14, 46)}${wheel(46, 46)}`,
  concrete: `${TRUCK}M8 34l6-16 20 4-4 14ZM18 19l-3 16M26 21l-3 15`,
  selfMixer: `M8 40h44v4H8ZM12 40V28h10l4 12M28 34 34 14l18 8-4 16ZM36 18l-4 16M46 22l-4 14${wheel(16, 46)}${wheel(42, 46)}`,
  concretePump: 'M8 40h44v6H8ZM12 40V26h20v14M32 32h10v8M38 24h14l-3 10h-8ZM8 34H4M12 30H6v-8M16 46v5M44 46v5',
  pumpTruck: `M4 42h52V32l-6-8h-8v18M4 36h34${wheel(14, 45)}${wheel(46, 45)}M12 36V10l22 6-16 10v8`,
  drillRig: 'M8 42h28a5 5 0 0 1 0 10H8a5 5 0 0 1 0-10ZM12 42V30h14v12M32 42V6h8v36M36 6v46M33 52h6M26 34l6-8',
  directionalDrill: 'M6 40h26a4 4 0 0 1 0 8H6a4 4 0 0 1 0-8ZM8 40V30h12v10M20 34 50 48M24 30l28 13M50 48c4 2 6 2 8 2M30 33l-2 4M38 37l-2 4',
  trencher: 'M8 38h24a5 5 0 0 1 0 10H8a5 5 0 0 1 0-10ZM12 38V28h16v10M30 32 54 50l3-6L36 28ZM40 40l3-5M46 44l3-5',
  crusher: 'M8 44h40a4 4 0 0 1 0 8H8a4 4 0 0 1 0-8ZM6 18h24l-5 14H11ZM11 32v12M25 32h18v12M43 36l14-16M18 32v-6l-4-8M18 26l6-8',
  chipper: `M14 40h30v4H14ZM18 40V26h18v14M36 28h12l6-6v16l-6-4M24 26V16L12 8${wheel(24, 46)}M44 44h12`,
  power: 'M6 18h48v26H6ZM10 44v6M50 44v6M14 26h12M14 32h12M14 38h12M42 22l-6 10h8l-6 9',
  compressor: `M8 20h40v20H8ZM8 40h46M14 26h10M14 31h10M14 36h10M36 24a6 6 0 1 0 .1 0M36 30l3-3${wheel(26, 45)}`,
  pump: `M8 44h44v4H8ZM14 44V32h16v12M40 34m-8 0a8 8 0 1 0 16 0 8 8 0 1 0-16 0M40 42v2M48 34h8v-8M32 34H30M40 26V14H28M54 18c-2 3-2 5 0 5s2-2 0-5`,
  lightTower: `M14 40h30v6H14ZM28 40V16M20 30h16v10M14 8h12v8H14ZM32 8h12v8H32ZM14 12H6M44 12h8${wheel(29, 50, 4)}M16 46l-6 6M42 46l6 6`,
  tractor: `M20 30V14h16v16M20 22h16M36 24h16v12H34M48 24v-8${wheel(19, 40, 11)}${wheel(47, 44, 7)}`,
  bigTractor: `M8 30h18v8H8ZM30 30h24v8H30ZM26 34h4M32 30V14h12v16M14 30v-8${wheel(17, 42, 9)}${wheel(45, 42, 9)}`,
  combine: `M18 34V16h28v18ZM18 16h10v10H18M46 22l8 6v6h-8M34 16V8h16M18 38 8 46H4l2-12h12${wheel(24, 42, 8)}${wheel(46, 45)}`,
  forageHarvester: `M16 34V18h32v16ZM16 18h12v10M34 18V8l-20-2-4 6M16 38 8 46H4V36h12${wheel(24, 42, 8)}${wheel(44, 44, 6)}`,
  sprayer: `M20 28h22v10H20ZM42 38V22h10v16M20 32H4M20 32v10M8 32v6M13 32v6M24 28v-8h14v8${wheel(26, 45, 6)}${wheel(46, 45, 6)}`,
  baler: `M12 40V20h30v20ZM12 26h30M42 34h14M18 20v20M4 44h10${wheel(20, 45)}${wheel(34, 45)}M56 30v8`,
  harvester: `M6 34h18v6H6ZM28 34h16v6H28ZM24 37h4M30 34V18h12v16M36 18 46 6l8 14M50 20h8v6h-8ZM54 26v22M51 48h6${wheel(14, 44, 6)}${wheel(36, 44, 6)}`,
  forwarder: `M4 38h28v4H4ZM6 38V22M30 38V22M8 34h20M8 29h20M36 40V22h12l4 10v8H32M34 26 24 10 14 14v5${wheel(10, 45)}${wheel(24, 45)}${wheel(45, 45)}`,
  mulcher: 'M16 38h28a5 5 0 0 1 0 10H16a5 5 0 0 1 0-10ZM20 38V20h16l4 18M20 30l-8 6M4 36h10v10H4ZM4 41h10M6 46v3M9 46v3M12 46v3',
  truck: `M4 18h32v24H4ZM36 26h11l9 9v7H36M47 26v9h9${wheel(15, 44)}${wheel(45, 44)}`,
  flatbed: `M4 34h34v8H4ZM4 34v-6M38 42V22h10l8 11v9H38M48 22v11h8${wheel(14, 45)}${wheel(46, 45)}`,
  tipper: `M4 34 8 16h30l-2 18ZM4 36h34v6H4M40 42V22h8l8 11v9H40M48 22v11h8${wheel(14, 45)}${wheel(46, 45)}`,
  tanker: `M4 22h30a7 7 0 0 1 0 14H4ZM12 22v14M24 22v14M4 36h36v6H4M42 42V22h7l7 11v9H42M16 22v-4h6v4${wheel(14, 45)}${wheel(46, 45)}`,
  vacuumTruck: `M4 20h30a8 8 0 0 1 0 16H4ZM10 20v16M4 28H1v10M18 20v-6h14l6 8M4 36h36v6H4M42 42V22h7l7 11v9H42${wheel(14, 45)}${wheel(46, 45)}`,
  tractorUnit: `M26 42V16h18l8 14v12H26M44 16v14h8M6 38h20v4H6M8 38v-4h10v4M24 16v22${wheel(13, 45)}${wheel(44, 45)}`,
  semiTrailer: `M4 26h14l6 10h32v4H20l-6-8H4ZM8 32v6${wheel(36, 45, 4)}${wheel(45, 45, 4)}${wheel(54, 45, 4)}`,
} as const;
export type Machine = keyof typeof MACHINES;

// The first words found in a type's title decide, so the narrower ones come first. Titles are in the catalogue's languages.
const WORDS: [RegExp, Machine][] = [
  [/spider crane/i, 'spiderCrane'],
  [/tower crane|башенн/i, 'towerCrane'],
  [/pipelayer|трубоуклад/i, 'pipelayer'],
  [/loader crane|манипулятор/i, 'loaderCrane'],
  [/crawler crane|гусеничный кран/i, 'crawlerCrane'],
  [/crane|автокран|кран(?!о)/i, 'crane'],
  [/truck-mounted concrete pump|автобетононасос/i, 'pumpTruck'],
  [/concrete pump|бетононасос/i, 'concretePump'],
  [/self-loading/i, 'selfMixer'],
  [/mixer|бетоносмесител|миксер/i, 'concrete'],
  [/aerial platform|автовышк/i, 'platformTruck'],
  [/scissor|ножничн/i, 'scissorLift'],
  [/boom lift|подъ[её]мник/i, 'boomLift'],
  [/fork ?lift|вилочн/i, 'forklift'],
  [/tele(scopic )?handler|телескопическ/i, 'telehandler'],
  [/bucket-wheel|роторный экскаватор/i, 'bucketWheel'],
  [/robot|робот/i, 'robot'],
  [/long-reach|high-reach|разрушитель/i, 'longReach'],
  [/backhoe|экскаватор-погрузчик/i, 'backhoe'],
  [/wheeled excavator|кол[её]сный экскаватор/i, 'wheeledExcavator'],
  [/excavator|экскаватор/i, 'excavator'],
  [/dozer|бульдозер/i, 'dozer'],
  [/grader|грейдер/i, 'grader'],
  [/skid|track loader|мини-погрузчик/i, 'skidSteer'],
  [/loader(?!.*trailer)(?<!low-loader)|погрузчик/i, 'loader'],
  [/plate|виброплит/i, 'plate'],
  [/tandem/i, 'tandemRoller'],
  [/roller|каток/i, 'roller'],
  [/paver|укладчик/i, 'paver'],
  [/milling|stabili[sz]er|фрез|ресайклер/i, 'milling'],
  [/directional|горизонтальн/i, 'directionalDrill'],
  [/drill|pil(e|ing)|auger|бур|сва/i, 'drillRig'],
  [/trench|транше/i, 'trencher'],
  [/crusher|дробилк/i, 'crusher'],
  [/chipper|измельчител/i, 'chipper'],
  [/mulcher|мульчер/i, 'mulcher'],
  [/forwarder|форвардер/i, 'forwarder'],
  [/forest harvester|харвестер/i, 'harvester'],
  [/forage|кормоубор/i, 'forageHarvester'],
  [/combine|комбайн/i, 'combine'],
  [/spray|опрыскивател/i, 'sprayer'],
  [/baler|пресс-подборщик/i, 'baler'],
  [/light tower|мачт/i, 'lightTower'],
  [/compressor|компрессор/i, 'compressor'],
  [/pump|насос/i, 'pump'],
  [/generator|genset|welder|электростанц|генератор/i, 'power'],
  [/tractor unit|тягач/i, 'tractorUnit'],
  [/trailer|прицеп|трал/i, 'semiTrailer'],
  [/articulated.*tractor/i, 'bigTractor'],
  [/tractor|трактор/i, 'tractor'],
  [/carrier|вездеход/i, 'carrier'],
  [/vacuum|sewer|илосос/i, 'vacuumTruck'],
  [/tank|цистерн/i, 'tanker'],
  [/dump(er| truck)|думпер/i, 'dumper'],
  [/tipper|самосвал/i, 'tipper'],
  [/flatbed|бортов/i, 'flatbed'],
  [/truck|van|bus|грузовик/i, 'truck'],
  [/timber|лесозаготов/i, 'harvester'],
  [/compaction|уплотнени/i, 'roller'],
];

/** Undefined while the type is not known: then nothing is claimed. */
export function machineOf(title: string | undefined): Machine {
  return (title !== undefined && WORDS.find(([words]) => words.test(title))?.[1]) || 'neutral';
}

export function MachineDrawing({ machine, size = 96 }: { machine: Machine; size?: number }) {
  return (
    <Drawing size={size} box={60} width={1.6}>
      <path d={MACHINES[machine]} />
    </Drawing>
  );
}
