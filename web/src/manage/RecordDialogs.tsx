// Creating, changing and deleting one of the catalogue's records, in a dialog.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries, readAgain } from '../app/api';
import { useCreationKey } from '../app/creationKey';
import type { Resource } from '../app/places';
import { toast } from '../app/toast';
import { categoriesQuery, groupsQuery } from '../catalog/data';
import { useT } from '../i18n';
import { Dialog, Notice } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { ConflictDialog, type Line } from '../ui/ConflictDialog';
import { formErrors } from '../ui/errors';
import { CheckField, SelectField, SubmitButton, TextField } from '../ui/fields';
import { Form, FormFailure, type FormState, useForm, type Work } from '../ui/form';
import { ListFailure } from '../ui/states';
import { unitsQuery } from './data';
import { IconField } from './IconField';
import { changed, type FormField, kindOf, type Record_, type Values } from './resources';

const VALUE_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'DATE'] as const;

interface Props {
  resource: Resource;
  close: () => void;
}

export function RecordForm({ resource, record, close }: Props & { record: Record_ | undefined }) {
  const t = useT();
  const { form: kind, title } = kindOf(resource);
  const form = useForm<Values>(`${resource}/${record?.id ?? 'new'}`, kind?.start(record) ?? {}, record?.version);
  const { key, settled } = useCreationKey();
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: async ({ draft, base, version = 0 }: Work<Values>) =>
      record === undefined ? kind?.create(draft, key) : kind?.update({ ...record, version }, changed(base, draft)),
    onSuccess: async () => {
      form.saved();
      toast(t('manage.saved'));
      close();
      await readAgain([resource]);
    },
    onSettled: settled,
  });
  const fields = kind?.fields ?? [];
  const failed = formErrors(save.error, t, fields.map((field) => field.name), { duplicate: resource === 'units' ? 'code' : 'name' });
  const missing = Object.fromEntries(
    fields.filter(({ name, required }) => required && String(form.draft[name] ?? '').trim() === '').map(({ name }) => [name, t('form.required')]),
  );
  const errors: Record<string, string> = { ...failed.fields, ...(tried && missing) };
  const twin = useTwin(resource, record, form.draft);
  const leave = () => {
    if (form.isOpen()) toast(t('draft.keptForLater'));
    close();
  };
  return (
    <Dialog title={t(record === undefined ? `manage.new.${resource}` : 'manage.change', { what: t(title) })} onClose={leave}>
      <Form
        className="stack"
        form={form}
        errors={errors}
        busy={save.isPending}
        submit={() => {
          setTried(true);
          if (Object.keys(missing).length === 0) save.mutate(form);
        }}
      >
        {fields.map((field) => (
          <FieldControl
            key={field.name}
            field={field}
            of={record?.id}
            fixed={field.fixed === true && record !== undefined}
            value={form.draft[field.name] ?? ''}
            onChange={(value) => form.change({ [field.name]: value })}
            error={errors[field.name]}
          />
        ))}
        {twin && <Notice kind="warn">{t('manage.twin')}</Notice>}
        <FormFailure failed={failed} errors={errors} />
        <div className="form-actions">
          <SubmitButton>{t('action.save')}</SubmitButton>
          <button type="button" className="button quiet" onClick={leave}>
            {t('action.cancel')}
          </button>
        </div>
      </Form>
      {record !== undefined && <RecordConflict resource={resource} record={record} error={save.error} form={form} save={save.mutate} reset={save.reset} />}
    </Dialog>
  );
}

/** Groups and categories of one name are allowed, but hardly meant. */
function useTwin(resource: Resource, record: Record_ | undefined, draft: Values): boolean {
  const groups = useQuery({ ...groupsQuery, enabled: resource === 'groups' }).data ?? [];
  const categories = useQuery({ ...categoriesQuery, enabled: resource === 'categories' }).data ?? [];
  const name = String(draft['name'] ?? '').trim().toLowerCase();
  const others = resource === 'groups' ? groups : categories.filter(({ groupId }) => groupId === draft['groupId']);
  return others.some((other) => other.id !== record?.id && other.name.toLowerCase() === name);
}

interface ConflictProps {
  resource: Resource;
  record: Record_;
  error: unknown;
  form: FormState<Values>;
  save: (work: Work<Values>) => void;
  reset: () => void;
}

function RecordConflict({ resource, record, ...rest }: ConflictProps) {
  const t = useT();
  const { form: kind } = kindOf(resource);
  const groups = useQuery({ ...groupsQuery, enabled: resource === 'categories' }).data ?? [];
  const units = useQuery({ ...unitsQuery, enabled: resource === 'params' }).data ?? [];
  const text = ({ kind, name }: FormField, values: Values): string => {
    const value = values[name] ?? '';
    if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
    if (kind === 'group') return groups.find(({ id }) => id === value)?.name ?? value;
    if (kind === 'unit') return units.find(({ id }) => id === value)?.label ?? value;
    return kind === 'valueType' ? (t.maybe(`valueType.${value}`) ?? value) : value;
  };
  const lines = (values: Values): Line[] => (kind?.fields ?? []).map((field) => ({ name: t(field.label), text: text(field, values) }));
  const read = async () => {
    const found = (await kind?.read(record))?.data ?? record;
    return { draft: kind?.start(found) ?? {}, version: found.version };
  };
  return <ConflictDialog {...rest} read={read} lines={lines} />;
}

interface ControlProps {
  field: FormField;
  /** The record, once there is one. */
  of: string | undefined;
  fixed: boolean;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
  error: string | undefined;
}

function FieldControl({ field, of, fixed, value, onChange, error }: ControlProps) {
  const t = useT();
  const groupList = useQuery({ ...groupsQuery, enabled: field.kind === 'group' });
  const unitList = useQuery({ ...unitsQuery, enabled: field.kind === 'unit' });
  const [groups, units] = [groupList.data ?? [], unitList.data ?? []];
  const common = {
    label: t(field.label),
    value: String(value),
    onChange,
    error,
    ...(field.required !== undefined && { required: field.required }),
    ...(field.hint !== undefined && { hint: t(field.hint) }),
  };
  switch (field.kind) {
    case 'check':
      return <CheckField label={t(field.label)} checked={value === true} onChange={onChange} error={error} />;
    case 'group':
      return (
        <>
          <ListFailure queries={[groupList]} />
          <SelectField {...common} disabled={fixed} none={t('manage.chooseGroup')} options={groups.map(({ id, name }) => ({ value: id, label: t.called(name) }))} />
        </>
      );
    case 'unit':
      return (
        <>
          <ListFailure queries={[unitList]} />
          <SelectField {...common} none={t('manage.noUnit')} options={units.map(({ id, code, label }) => ({ value: id, label: `${t.unit(code)} — ${t.called(label)}` }))} />
        </>
      );
    case 'valueType':
      return <SelectField {...common} options={VALUE_TYPES.map((type) => ({ value: type, label: t(`valueType.${type}`) }))} />;
    case 'icon':
      return <IconField of={of} value={common.value} onChange={onChange} error={error} />;
    case 'text':
      return <TextField {...common} />;
  }
}

export function DeleteRecord({ resource, record, replace, close }: Props & { record: Record_; replace: (record: Record_) => void }) {
  const t = useT();
  const kind = kindOf(resource);
  const remove = useMutation({
    mutationFn: () => kind.remove(record),
    onSuccess: async () => {
      toast(t('manage.deleted', { name: kind.name(record) }));
      close();
      await readAgain([resource]);
    },
  });
  return (
    <ConfirmDialog
      title={t('manage.deleteTitle', { name: kind.name(record) })}
      text={t('manage.deleteText')}
      error={remove.error}
      busy={remove.isPending}
      confirm={() => remove.mutate()}
      close={close}
      reload={() =>
        void newer(resource, record).then((found) => {
          remove.reset();
          if (found === undefined) close();
          else replace(found);
        })
      }
    />
  );
}

/** Reads the record again after a conflict: the table's page has it, or it is gone. */
async function newer(resource: Resource, record: Record_): Promise<Record_ | undefined> {
  await queries.refetchQueries({ queryKey: [resource, 'table'], type: 'active' });
  const pages = queries.getQueriesData<{ content: Record_[] }>({ queryKey: [resource, 'table'], type: 'active' });
  return pages.flatMap(([, page]) => page?.content ?? []).find(({ id }) => id === record.id);
}
