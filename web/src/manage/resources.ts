// The catalogue's own records as tables and forms. What belongs here: which columns and fields each kind has,
// and which calls read and write it.
import { type CatalogClient, ifMatch, type Page } from '@equipment-platform/client';
import {
  createCategory, createGroup, createParam, createTag, createUnit,
  deleteCategory, deleteGroup, deleteParam, deleteTag, deleteType, deleteUnit,
  getCategory, getGroup, getParam, getTag, getUnit,
  listCategories, listGroups, listParams, listTags, listTypes, listUnits,
  updateCategory, updateGroup, updateParam, updateTag, updateType, updateUnit,
  type Category, type Group, type Param, type Tag, type EquipmentType, type MeasurementUnit, type ParamValueType,
} from '@equipment-platform/client/catalog';
import { catalog } from '../app/api';
import type { Resource } from '../app/places';
import type { MessageKey } from '../i18n';

export type Values = Record<string, string | boolean>;

export interface FormField {
  /** The name of the field in the API. */
  name: string;
  label: MessageKey;
  kind: 'text' | 'check' | 'group' | 'unit' | 'valueType' | 'icon';
  hint?: MessageKey;
  required?: boolean;
  /** Cannot be changed later. */
  fixed?: boolean;
}

export interface Column<T> {
  label: MessageKey;
  /** The name to sort by, where the service sorts by it. */
  sort?: string;
  /** `active` is a badge, `check` yes or no. */
  kind?: 'text' | 'active' | 'check' | 'changed' | 'group' | 'valueType' | 'uses';
  value: (record: T) => string | boolean | number;
  /** The file of a picture beside it. */
  icon?: (record: T) => string | null;
  /** Who did it, beside when. */
  by?: (record: T) => string;
}

export interface Record_ {
  id: string;
  version: number;
  createdBy: string;
}

interface Query {
  page: number;
  size: number;
  sort: string[];
  name?: string;
  title?: string;
  label?: string;
}

export interface Kind<T extends Record_> {
  title: MessageKey;
  lead: MessageKey;
  defaultSort: string;
  columns: Column<T>[];
  name: (record: T) => string;
  /** The parameter that narrows the list down by a part of a text. */
  find: 'name' | 'title' | 'label';
  list: (query: Query, signal: AbortSignal) => Promise<{ data: Page<T> }>;
  remove: (record: T) => Promise<unknown>;
  /** Takes it into use or out of it, where it knows that. */
  activate?: (record: T, isActive: boolean) => Promise<unknown>;
  /** Types have a page of their own instead. */
  form?: {
    fields: FormField[];
    start: (record: T | undefined) => Values;
    create: (values: Values, key: string) => Promise<unknown>;
    update: (record: T, changed: Values) => Promise<unknown>;
    read: (record: T) => Promise<{ data: T }>;
  };
}

const text = (values: Values, name: string) => String(values[name] ?? '');
const orNull = (value: string) => (value.trim() === '' ? null : value.trim());
const listOrNull = (value: string) => {
  const list = value.split(/[,\n]/).map((one) => one.trim()).filter((one) => one !== '');
  return list.length === 0 ? null : list;
};
/** Reads a page of one kind. */
const listing =
  <T>(call: (options: { client: CatalogClient; signal: AbortSignal; query: Query }) => Promise<{ data: Page<T> }>) =>
  (query: Query, signal: AbortSignal) =>
    call({ client: catalog(), signal, query });
const at = (record: { id: string; version: number }) => ({ client: catalog(), path: { id: record.id }, headers: ifMatch(record) });
const fresh = (key: string) => ({ client: catalog(), headers: { 'Idempotency-Key': key } });

interface Audited {
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  updatedBy: string;
}

const changes = [
  { label: 'manage.createdAt', sort: 'createdAt', kind: 'changed', value: (record: Audited) => record.createdAt, by: (record: Audited) => record.createdBy },
  { label: 'manage.updatedAt', sort: 'updatedAt', kind: 'changed', value: (record: Audited) => record.updatedAt, by: (record: Audited) => record.updatedBy },
] as const;
/** How many machines use it. */
const uses = { label: 'manage.uses', kind: 'uses', value: (record: { id: string }) => record.id } as const;
/** Tags and types are not sorted by it. */
const state = { label: 'manage.isActive', kind: 'active', value: (record: { isActive: boolean }) => record.isActive } as const;
const active = { ...state, sort: 'isActive' } as const;
const named = { label: 'manage.name', sort: 'name', value: (record: { name: string }) => record.name } as const;
const name: FormField = { name: 'name', label: 'manage.name', kind: 'text', required: true };
const isActive: FormField = { name: 'isActive', label: 'manage.isActiveField', kind: 'check' };

/** What a merge patch sends: the changed fields alone. */
export function changed(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => value !== before[field]));
}

const groups: Kind<Group> = {
  title: 'manage.groups',
  lead: 'manage.groupsLead',
  defaultSort: 'name,asc',
  columns: [
    named,
    ...changes,
  ],
  name: (record) => record.name,
  find: 'name',
  list: listing<Group>(listGroups),
  remove: (record) => deleteGroup(at(record)),
  form: {
    fields: [name],
    start: (record) => ({ name: record?.name ?? '' }),
    create: (values, key) => createGroup({ ...fresh(key), body: { name: text(values, 'name') } }),
    update: (record, patch) => updateGroup({ ...at(record), body: patch }),
    read: (record) => getGroup({ client: catalog(), path: { id: record.id } }),
  },
};

const inGroup = (record: Category) => ({ ...at(record), path: { groupId: record.groupId, id: record.id } });
const categoryBody = (values: Values) => ({
  ...('name' in values && { name: text(values, 'name') }),
  ...('iconFileId' in values && { iconFileId: orNull(text(values, 'iconFileId')) }),
  ...('tenantIds' in values && { tenantIds: listOrNull(text(values, 'tenantIds')) }),
});

const categories: Kind<Category> = {
  title: 'manage.categories',
  lead: 'manage.categoriesLead',
  defaultSort: 'name,asc',
  columns: [
    { ...named, icon: (record) => record.iconFileId },
    { label: 'manage.group', kind: 'group', value: (record) => record.groupId },
    { label: 'manage.tenants', value: (record) => record.tenantIds?.join(', ') ?? '—' },
    ...changes,
  ],
  name: (record) => record.name,
  find: 'name',
  list: listing<Category>(listCategories),
  remove: (record) => deleteCategory(inGroup(record)),
  form: {
    fields: [
      { name: 'groupId', label: 'manage.group', kind: 'group', required: true, fixed: true },
      name,
      { name: 'iconFileId', label: 'manage.icon', kind: 'icon' },
      { name: 'tenantIds', label: 'manage.tenants', kind: 'text', hint: 'manage.tenantsHint' },
    ],
    start: (record) => ({
      groupId: record?.groupId ?? '',
      name: record?.name ?? '',
      iconFileId: record?.iconFileId ?? '',
      tenantIds: record?.tenantIds?.join(', ') ?? '',
    }),
    create: (values, key) =>
      createCategory({ ...fresh(key), path: { groupId: text(values, 'groupId') }, body: { ...categoryBody(values), name: text(values, 'name') } }),
    update: (record, patch) => updateCategory({ ...inGroup(record), body: categoryBody(patch) }),
    read: (record) => getCategory({ client: catalog(), path: { groupId: record.groupId, id: record.id } }),
  },
};

const tags: Kind<Tag> = {
  title: 'manage.tags',
  lead: 'manage.tagsLead',
  defaultSort: 'name,asc',
  columns: [
    named,
    uses,
    state,
    ...changes,
  ],
  name: (record) => record.name,
  find: 'name',
  list: listing<Tag>(listTags),
  remove: (record) => deleteTag(at(record)),
  activate: (record, isActive) => updateTag({ ...at(record), body: { isActive } }),
  form: {
    fields: [name, isActive],
    start: (record) => ({ name: record?.name ?? '', isActive: record?.isActive ?? true }),
    create: (values, key) => createTag({ ...fresh(key), body: { name: text(values, 'name'), isActive: values['isActive'] === true } }),
    update: (record, patch) => updateTag({ ...at(record), body: patch }),
    read: (record) => getTag({ client: catalog(), path: { id: record.id } }),
  },
};

const units: Kind<MeasurementUnit> = {
  title: 'manage.units',
  lead: 'manage.unitsLead',
  defaultSort: 'code,asc',
  columns: [
    { label: 'manage.code', sort: 'code', value: (record) => record.code },
    { label: 'manage.label', sort: 'label', value: (record) => record.label },
    { label: 'manage.system', sort: 'unitSystem', value: (record) => record.unitSystem },
    active,
    ...changes,
  ],
  name: (record) => record.label,
  find: 'label',
  list: listing<MeasurementUnit>(listUnits),
  remove: (record) => deleteUnit(at(record)),
  activate: (record, isActive) => updateUnit({ ...at(record), body: { isActive } }),
  form: {
    fields: [
      { name: 'code', label: 'manage.code', kind: 'text', hint: 'manage.codeHint', required: true },
      { name: 'label', label: 'manage.label', kind: 'text', required: true },
      { name: 'unitSystem', label: 'manage.system', kind: 'text', hint: 'manage.systemHint', required: true },
      isActive,
    ],
    start: (record) => ({ code: record?.code ?? '', label: record?.label ?? '', unitSystem: record?.unitSystem ?? 'SI', isActive: record?.isActive ?? true }),
    create: (values, key) =>
      createUnit({
        ...fresh(key),
        body: { code: text(values, 'code'), label: text(values, 'label'), unitSystem: text(values, 'unitSystem'), isActive: values['isActive'] === true },
      }),
    update: (record, patch) => updateUnit({ ...at(record), body: patch }),
    read: (record) => getUnit({ client: catalog(), path: { id: record.id } }),
  },
};

const paramPatch = (values: Values) => ({ ...values, ...('unitId' in values && { unitId: orNull(text(values, 'unitId')) }) });

const params: Kind<Param> = {
  title: 'manage.params',
  lead: 'manage.paramsLead',
  defaultSort: 'name,asc',
  columns: [
    named,
    { label: 'manage.valueType', kind: 'valueType', value: (record) => record.valueType },
    { label: 'manage.unit', value: (record) => record.unit?.code ?? '—' },
    { label: 'manage.isRequired', sort: 'isRequired', kind: 'check', value: (record) => record.isRequired },
    uses,
    active,
    ...changes,
  ],
  name: (record) => record.name,
  find: 'name',
  list: listing<Param>(listParams),
  remove: (record) => deleteParam(at(record)),
  activate: (record, isActive) => updateParam({ ...at(record), body: { isActive } }),
  form: {
    fields: [
      name,
      { name: 'valueType', label: 'manage.valueType', kind: 'valueType', hint: 'manage.valueTypeHint', required: true },
      { name: 'unitId', label: 'manage.unit', kind: 'unit' },
      { name: 'isRequired', label: 'manage.isRequiredField', kind: 'check' },
      isActive,
    ],
    start: (record) => ({
      name: record?.name ?? '',
      valueType: record?.valueType ?? 'NUMBER',
      unitId: record?.unitId ?? '',
      isRequired: record?.isRequired ?? false,
      isActive: record?.isActive ?? true,
    }),
    create: (values, key) =>
      createParam({
        ...fresh(key),
        body: {
          name: text(values, 'name'),
          valueType: text(values, 'valueType') as ParamValueType,
          unitId: orNull(text(values, 'unitId')),
          isRequired: values['isRequired'] === true,
          isActive: values['isActive'] === true,
        },
      }),
    update: (record, patch) => updateParam({ ...at(record), body: paramPatch(patch) }),
    read: (record) => getParam({ client: catalog(), path: { id: record.id } }),
  },
};

const types: Kind<EquipmentType> = {
  title: 'manage.types',
  lead: 'manage.typesLead',
  defaultSort: 'title,asc',
  columns: [
    { label: 'manage.titleField', sort: 'title', value: (record) => record.title, icon: (record) => record.iconFileId },
    { label: 'manage.paramCount', value: (record) => record.params.length },
    uses,
    state,
    ...changes,
  ],
  name: (record) => record.title,
  find: 'title',
  list: listing<EquipmentType>(listTypes),
  remove: (record) => deleteType(at(record)),
  activate: (record, isActive) => updateType({ ...at(record), body: { isActive } }),
};

export const KINDS = { groups, categories, types, params, units, tags } satisfies Record<Resource, unknown>;
/** One of them, where it does not matter which. */
export const kindOf = (resource: Resource): Kind<Record_> => KINDS[resource] as unknown as Kind<Record_>;
