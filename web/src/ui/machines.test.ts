// Every kind of equipment of the demo catalogue has the drawing that shows it; what is not known has none.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Machine, machineOf } from './machines';

const SHOWN: Partial<Record<Machine, string[]>> = {
  backhoe: ['Backhoe loader'],
  baler: ['Baler'],
  bigTractor: ['Articulated high-horsepower tractor'],
  boomLift: ['Articulating boom lift', 'Telescopic boom lift'],
  bucketWheel: ['Bucket-wheel excavator'],
  carrier: ['Tracked all-terrain carrier'],
  chipper: ['Wood chipper'],
  combine: ['Combine harvester'],
  compressor: ['Portable diesel compressor'],
  concrete: ['Truck mixer'],
  concretePump: ['Stationary concrete pump'],
  crane: ['All-terrain crane', 'Rough-terrain crane', 'Truck-mounted crane'],
  crawlerCrane: ['Lattice boom crawler crane'],
  crusher: ['Mobile jaw crusher'],
  directionalDrill: ['Horizontal directional drill'],
  dozer: ['Crawler dozer', 'Low ground pressure dozer'],
  drillRig: ['Rotary drilling rig'],
  dumper: ['Articulated dump truck', 'Rigid dump truck', 'Site dumper'],
  excavator: ['Crawler excavator', 'Midi excavator', 'Mini excavator', 'Mining and quarry excavator'],
  flatbed: ['Flatbed cargo truck'],
  forageHarvester: ['Self-propelled forage harvester'],
  forklift: ['Diesel forklift', 'Electric forklift'],
  forwarder: ['Forwarder'],
  grader: ['Motor grader'],
  harvester: ['Forest harvester'],
  lightTower: ['Light tower'],
  loader: ['Compact wheel loader', 'Wheel loader'],
  loaderCrane: ['Flatbed truck with loader crane'],
  longReach: ['High-reach demolition excavator', 'Long-reach excavator'],
  milling: ['Cold milling machine', 'Soil stabiliser and recycler'],
  mulcher: ['Forestry mulcher'],
  paver: ['Asphalt paver'],
  pipelayer: ['Pipelayer'],
  plate: ['Trench roller and heavy plate compactor'],
  platformTruck: ['Truck-mounted aerial platform'],
  power: ['Diesel generator set', 'Portable inverter generator'],
  pump: ['Dewatering pump'],
  pumpTruck: ['Truck-mounted concrete pump'],
  robot: ['Demolition robot'],
  roller: ['Pneumatic tyre roller', 'Single drum soil roller'],
  scissorLift: ['Electric scissor lift', 'Rough-terrain scissor lift'],
  selfMixer: ['Self-loading concrete mixer'],
  semiTrailer: ['Low-loader semi-trailer'],
  skidSteer: ['Compact track loader', 'Skid steer loader'],
  spiderCrane: ['Mini spider crane'],
  sprayer: ['Self-propelled field sprayer'],
  tandemRoller: ['Tandem asphalt roller'],
  tanker: ['Water and fuel tanker truck'],
  telehandler: ['Rotating telehandler', 'Telescopic handler'],
  tipper: ['Tipper truck'],
  towerCrane: ['Luffing jib tower crane', 'Self-erecting tower crane', 'Top-slewing tower crane'],
  tractor: ['Agricultural tractor'],
  tractorUnit: ['Tractor unit'],
  trencher: ['Chain trencher'],
  truck: ['All-wheel drive off-road truck'],
  vacuumTruck: ['Vacuum and sewer cleaning truck'],
  wheeledExcavator: ['Wheeled excavator'],
};

test('the demo catalogue', () => {
  const types = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../internal/demo/types.json'), 'utf8')) as { title: string }[];
  const shown: Partial<Record<Machine, string[]>> = {};
  for (const { title } of types) (shown[machineOf(title)] ??= []).push(title);
  expect(shown).toEqual(SHOWN);
});

test('a title in Russian', () => {
  expect(['Экскаватор-погрузчик', 'Башенный кран', 'Автокран', 'Вилочный погрузчик', 'Седельный тягач'].map(machineOf)).toEqual(['backhoe', 'towerCrane', 'crane', 'forklift', 'tractorUnit']);
});

test('what is not known, and what is not known yet, claims nothing', () => {
  expect([machineOf(undefined), machineOf(''), machineOf('Snow groomer')]).toEqual(['neutral', 'neutral', 'neutral']);
});
