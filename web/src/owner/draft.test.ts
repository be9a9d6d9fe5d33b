// From a vehicle to a form and back, and what the form refuses by itself.
import type { EquipmentType, Vehicle } from '@equipment-platform/client/catalog';
import { describe, expect, test } from 'vitest';
import { createBody, type Draft, draftOf, EMPTY, type ParamField, paramFields, patchBody, problems, readValue } from './draft';

const audit = { version: 1, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', createdBy: 'a', updatedBy: 'a' };
const weight: ParamField = { id: 'weight', name: 'Weight', valueType: 'NUMBER', unit: undefined, required: true };
const gps: ParamField = { id: 'gps', name: 'GPS', valueType: 'BOOLEAN', unit: undefined, required: false };
const fields = [weight, gps];
const draft: Draft = { ...EMPTY, typeId: 't', brand: 'Kubota', model: 'KX', year: '2020', plate: 'a 1', values: { weight: '5.5', gps: 'true' }, tags: ['x'] };
const vehicle: Vehicle = {
  ...audit, id: 'v', equipmentTypeId: 't', licensePlate: 'A1', brandName: 'Kubota', modelName: 'KX', releaseYear: 2020, isActive: true,
  ownerUserId: 'o', params: [{ paramId: 'weight', name: 'Weight', valueType: 'NUMBER', value: 5.5 }, { paramId: 'gps', name: 'GPS', valueType: 'BOOLEAN', value: false }],
  searchTags: [{ id: 'x', name: 'X' }], photoFileIds: ['p'], docFileIds: [], ratingAvg: 0, ratingCount: 0,
};

describe('readValue', () => {
  test.each([
    ['NUMBER', '5.25', 5.25],
    ['NUMBER', ' 5,25 ', 5.25],
    ['NUMBER', '-3', -3],
    ['INTEGER', '9007199254740991', 9007199254740991],
    ['BOOLEAN', 'false', false],
    ['DATE', '2026-03-01', '2026-03-01'],
    ['STRING', ' text ', 'text'],
  ] as const)('%s %s', (type, typed, value) => {
    expect(readValue(type, typed)).toEqual({ value });
  });

  test.each([
    ['NUMBER', '5.2.5', 'form.badNumber'],
    ['NUMBER', 'five', 'form.badNumber'],
    ['NUMBER', '1e3', 'form.badNumber'],
    ['NUMBER', '1234567890.1234567', 'form.tooManyDigits'],
    ['INTEGER', '5.5', 'form.badWhole'],
    ['INTEGER', '9007199254740993', 'form.tooManyDigits'],
    ['DATE', '1.3.2026', 'form.badDate'],
    ['STRING', 'x'.repeat(4001), 'form.tooLong'],
  ] as const)('refuses %s %s', (type, typed, problem) => {
    expect(readValue(type, typed)).toEqual({ problem });
  });
});

describe('problems', () => {
  test('none of a good draft', () => {
    expect(problems(draft, fields)).toEqual({});
  });

  test('what is missing, at its field', () => {
    expect(problems(EMPTY, fields)).toEqual({
      equipmentTypeId: 'form.required', brandName: 'form.required', modelName: 'form.required', 'params.weight': 'form.required',
    });
  });

  test('what is wrong, at its field', () => {
    expect(problems({ ...draft, year: '1899', plate: 'a*1', values: { weight: 'x' } }, fields)).toEqual({
      releaseYear: 'form.badYear', licensePlate: 'field.license_plate_invalid', 'params.weight': 'form.badNumber',
    });
  });
});

describe('bodies', () => {
  test('create sends everything, values in their types', () => {
    expect(createBody({ ...draft, values: { weight: '5,5', gps: '' } }, fields)).toEqual({
      equipmentTypeId: 't', brandName: 'Kubota', modelName: 'KX', releaseYear: 2020, licensePlate: 'a 1', isActive: true,
      params: [{ paramId: 'weight', value: 5.5 }], searchTagIds: ['x'], photoFileIds: [], docFileIds: [],
    });
  });

  test('a patch of nothing is empty', () => {
    expect(patchBody(draftOf(vehicle), draftOf(vehicle), fields)).toEqual({});
  });

  test('a patch sends what changed alone', () => {
    expect(patchBody(draftOf(vehicle), { ...draftOf(vehicle), plate: '', tags: [] }, fields)).toEqual({ licensePlate: '', searchTagIds: [] });
  });

  test('one changed value sends all values, since the service replaces the list', () => {
    const before = draftOf(vehicle);
    expect(patchBody(before, { ...before, values: { ...before.values, gps: 'true' } }, fields)).toEqual({
      params: [{ paramId: 'weight', value: 5.5 }, { paramId: 'gps', value: true }],
    });
  });

  test('another type sends the values that it has', () => {
    expect(patchBody(draftOf(vehicle), { ...draftOf(vehicle), typeId: 'other' }, [gps])).toEqual({
      equipmentTypeId: 'other', params: [{ paramId: 'gps', value: false }],
    });
  });
});

describe('paramFields', () => {
  const param = { ...audit, id: 'weight', name: 'Weight', valueType: 'NUMBER', unitId: null, isRequired: true, isActive: true } as const;
  const type: EquipmentType = { ...audit, id: 't', title: 'T', iconFileId: null, isActive: true, categoryIds: [], searchTagIds: [], searchTags: [], params: [param, { ...param, id: 'old', isActive: false }] };

  test('are those of the type that are in use', () => {
    expect(paramFields(type, undefined)).toEqual([weight]);
  });

  test('are those of the vehicle when its type cannot be read', () => {
    expect(paramFields(undefined, vehicle).map(({ id, required }) => [id, required])).toEqual([['weight', false], ['gps', false]]);
  });
});
