// Line drawings. What belongs here: the app's mark, small signs, and machines that stand in for a photo.
import type { ReactNode } from 'react';

function Drawing({ size = 20, width = 1.8, box = 24, children }: { size?: number; width?: number; box?: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${box} ${box}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const SIGNS = {
  mark: 'M4 16h10a2.5 2.5 0 0 1 0 5H4a2.5 2.5 0 0 1 0-5ZM6 16v-5h5l2.5 5M10 11l5-7 4.5 4.5-.5 4.5-3.5-1',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z',
  half: 'M12 3a9 9 0 1 1 0 18ZM12 3v18M12 3a9 9 0 0 0 0 18',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  filter: 'M4 6h16M7 12h10M10 18h4',
  plus: 'M12 5v14M5 12h14',
  file: 'M6 3h8l5 5v13H6ZM14 3v5h5',
} as const;

export function Sign({ name, size }: { name: keyof typeof SIGNS; size?: number }) {
  return (
    <Drawing {...(size !== undefined && { size })}>
      <path d={SIGNS[name]} />
    </Drawing>
  );
}

const MACHINES = {
  excavator: 'M6 38h26a5 5 0 0 1 0 10H6a5 5 0 0 1 0-10ZM9 38V24h13l5 14M27 30l13-18 15 10-4 14-9-3 2-7',
  crane: 'M5 42h50v6H5ZM12 42V30h14v12M16 30 50 8v10M50 18v9m-4 0h8v5h-8ZM42 48a5 5 0 1 0 10 0M8 48a5 5 0 1 0 10 0',
  truck: 'M4 18h32v24H4ZM36 26h11l9 9v7H36M10 42a5 5 0 1 0 10 0M40 42a5 5 0 1 0 10 0M47 26v9h9',
  loader: 'M20 36V20h14l6 16M14 36h34v6H14ZM14 42a7 7 0 1 0 14 0M36 42a7 7 0 1 0 14 0M14 38 8 26M3 40V26h9',
  tractor: 'M20 30V14h16v16M20 22h16M36 24h16v12H34M8 40a11 11 0 1 0 22 0 11 11 0 0 0-22 0M40 44a7 7 0 1 0 14 0 7 7 0 0 0-14 0M48 24v-8',
  roller: 'M6 38a10 10 0 1 0 20 0 10 10 0 0 0-20 0M36 40a8 8 0 1 0 16 0 8 8 0 0 0-16 0M16 28h14l4 6h12M30 28V14h16v20',
  lift: 'M8 44h42v6H8ZM14 44V34h14v10M20 34 46 16M42 8h14v10H42ZM12 50a4 4 0 1 0 8 0M38 50a4 4 0 1 0 8 0',
  power: 'M6 18h48v26H6ZM10 44v6M50 44v6M14 26h12M14 32h12M14 38h12M42 22l-6 10h8l-6 9',
  concrete: 'M6 40h50M46 40V26h-8l-4 14M10 34l6-16 20 4-4 14ZM10 40a5 5 0 1 0 10 0M42 40a5 5 0 1 0 10 0M20 20l-3 14M28 22l-3 14',
  drill: 'M8 42h30v7H8ZM12 42V30h14v12M32 42V6h8v36M36 6v46M33 52h6M26 34l6-8',
} as const;
export type Machine = keyof typeof MACHINES;

// The first word found in a type's title decides; titles are in the catalogue's languages.
const WORDS: [RegExp, Machine][] = [
  [/crane|кран|hoist/i, 'crane'],
  [/concrete|mixer|бетон/i, 'concrete'],
  [/lift|platform|boom|telehandler|подъ[её]мник|вышк/i, 'lift'],
  [/drill|pil(e|ing)|auger|trench|бур|сва/i, 'drill'],
  [/roller|compact(or|ion)|plate|asphalt|paver|grader|каток|асфальт/i, 'roller'],
  [/excavator|dozer|shovel|экскаватор|бульдозер/i, 'excavator'],
  [/loader|forklift|skid|погрузчик/i, 'loader'],
  [/generator|genset|compressor|pump|tower|welder|light|электростанц|компрессор|насос/i, 'power'],
  [/tractor|harvest|forwarder|skidder|spray|baler|seed|трактор|комбайн/i, 'tractor'],
  [/truck|trailer|dump|tipper|van|tank|bus|самосвал|прицеп|тягач/i, 'truck'],
];

export function machineOf(title: string): Machine {
  return WORDS.find(([words]) => words.test(title))?.[1] ?? 'excavator';
}

export function MachineDrawing({ machine }: { machine: Machine }) {
  return (
    <Drawing size={96} box={60} width={1.6}>
      <path d={MACHINES[machine]} />
    </Drawing>
  );
}
