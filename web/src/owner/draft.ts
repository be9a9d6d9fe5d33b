// A vehicle while it is being written. What belongs here: from a vehicle to a form and back, and what is wrong
// with a draft before the service is asked.
import type { Param, EquipmentType, MeasurementUnit, ValueType, Vehicle, VehicleCreate, VehicleParamInput, VehiclePatch } from '@equipment-platform/client/catalog';
import type { MessageKey } from '../i18n';
import { canonicalPlate } from './plate';

export interface Draft {
  typeId: string;
  brand: string;
  model: string;
  year: string;
  plate: string;
  active: boolean;
  /** What was typed, by parameter; an empty text is no value. */
  values: Readonly<Record<string, string>>;
  tags: readonly string[];
  photos: readonly string[];
  docs: readonly string[];
}

/** A parameter as a form needs it. */
export interface ParamField {
  id: string;
  name: string;
  valueType: ValueType;
  unit: MeasurementUnit | undefined;
  required: boolean;
}

export const EMPTY: Draft = { typeId: '', brand: '', model: '', year: '', plate: '', active: true, values: {}, tags: [], photos: [], docs: [] };

export function draftOf(vehicle: Vehicle): Draft {
  return {
    typeId: vehicle.equipmentTypeId,
    brand: vehicle.brandName,
    model: vehicle.modelName,
    year: vehicle.releaseYear?.toString() ?? '',
    plate: vehicle.licensePlate ?? '',
    active: vehicle.isActive,
    values: Object.fromEntries(vehicle.params.map(({ paramId, value }) => [paramId, String(value)])),
    tags: vehicle.searchTags.map(({ id }) => id),
    photos: vehicle.photoFileIds,
    docs: vehicle.docFileIds,
  };
}

/** The fields that a type asks for; of a type that cannot be read any more, those that the vehicle holds. */
export function paramFields(type: EquipmentType | undefined, vehicle: Vehicle | undefined): ParamField[] {
  if (type !== undefined) return type.params.filter(({ isActive }) => isActive).map(fieldOf);
  return (vehicle?.params ?? []).map(({ paramId, name, valueType, unit }) => ({ id: paramId, name, valueType, unit, required: false }));
}

function fieldOf({ id, name, valueType, unit, isRequired }: Param): ParamField {
  return { id, name, valueType, unit, required: isRequired };
}

const DECIMAL = /^[+-]?\d+([.,]\d+)?$/;
const WHOLE = /^[+-]?\d+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
// More digits than this do not survive in a number of JavaScript.
const SAFE_DIGITS = 15;

/** The JSON value of what was typed, or why it is none. */
export function readValue(valueType: ValueType, typed: string): { value: string | number | boolean } | { problem: MessageKey } {
  const text = typed.trim();
  switch (valueType) {
    case 'STRING':
      return text.length > 4000 ? { problem: 'form.tooLong' } : { value: text };
    case 'BOOLEAN':
      return { value: text === 'true' };
    case 'DATE':
      return DATE.test(text) ? { value: text } : { problem: 'form.badDate' };
    case 'INTEGER':
      if (!WHOLE.test(text)) return { problem: 'form.badWhole' };
      return Number.isSafeInteger(Number(text)) ? { value: Number(text) } : { problem: 'form.tooManyDigits' };
    case 'NUMBER':
      if (!DECIMAL.test(text)) return { problem: 'form.badNumber' };
      return text.replace(/\D/g, '').replace(/^0+/, '').length <= SAFE_DIGITS
        ? { value: Number(text.replace(',', '.')) }
        : { problem: 'form.tooManyDigits' };
    default: // a kind of value that this app does not know yet: as it was typed
      return { value: text };
  }
}

/** What is wrong, by field: the names of the API, and `params.<id>` for values. */
export function problems(draft: Draft, fields: readonly ParamField[]): Record<string, MessageKey> {
  const found: Record<string, MessageKey> = {};
  if (draft.typeId === '') found['equipmentTypeId'] = 'form.required';
  if (draft.brand.trim() === '') found['brandName'] = 'form.required';
  if (draft.model.trim() === '') found['modelName'] = 'form.required';
  const year = Number(draft.year);
  if (draft.year.trim() !== '' && !(Number.isInteger(year) && year >= 1900 && year <= 2100)) found['releaseYear'] = 'form.badYear';
  const plate = canonicalPlate(draft.plate).problem;
  if (plate !== undefined) found['licensePlate'] = plate === 'invalid' ? 'field.license_plate_invalid' : 'field.license_plate_too_long';
  for (const { id, valueType, required } of fields) {
    const typed = draft.values[id] ?? '';
    if (typed.trim() === '') {
      if (required) found[`params.${id}`] = 'form.required';
      continue;
    }
    const read = readValue(valueType, typed);
    if ('problem' in read) found[`params.${id}`] = read.problem;
  }
  return found;
}

export function paramsOf(draft: Draft, fields: readonly ParamField[]): VehicleParamInput[] {
  return fields.flatMap(({ id, valueType }) => {
    const typed = draft.values[id] ?? '';
    const read = typed.trim() === '' ? undefined : readValue(valueType, typed);
    return read !== undefined && 'value' in read ? [{ paramId: id, value: read.value }] : [];
  });
}

export function createBody(draft: Draft, fields: readonly ParamField[]): VehicleCreate {
  return {
    equipmentTypeId: draft.typeId,
    brandName: draft.brand,
    modelName: draft.model,
    licensePlate: draft.plate,
    isActive: draft.active,
    params: paramsOf(draft, fields),
    searchTagIds: [...draft.tags],
    photoFileIds: [...draft.photos],
    docFileIds: [...draft.docs],
    ...(draft.year.trim() !== '' && { releaseYear: Number(draft.year) }),
  };
}

/** Only what was changed: what the form cannot show exactly (long numbers, hidden links) stays as it is. */
export function patchBody(before: Draft, draft: Draft, fields: readonly ParamField[]): VehiclePatch {
  const patch: VehiclePatch = {};
  const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((one, index) => one === b[index]);
  if (draft.typeId !== before.typeId) patch.equipmentTypeId = draft.typeId;
  if (draft.brand !== before.brand) patch.brandName = draft.brand;
  if (draft.model !== before.model) patch.modelName = draft.model;
  if (draft.plate !== before.plate) patch.licensePlate = draft.plate;
  if (draft.year !== before.year && draft.year.trim() !== '') patch.releaseYear = Number(draft.year);
  if (draft.active !== before.active) patch.isActive = draft.active;
  if (draft.typeId !== before.typeId || fields.some(({ id }) => (draft.values[id] ?? '') !== (before.values[id] ?? ''))) {
    patch.params = paramsOf(draft, fields);
  }
  if (!same(draft.tags, before.tags)) patch.searchTagIds = [...draft.tags];
  if (!same(draft.photos, before.photos)) patch.photoFileIds = [...draft.photos];
  if (!same(draft.docs, before.docs)) patch.docFileIds = [...draft.docs];
  return patch;
}
