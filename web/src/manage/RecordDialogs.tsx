// Creating, changing and deleting one of the catalogue's records, in a dialog.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queries as cache } from '../app/api';
import { useCreationKey } from '../app/creationKey';
import type { Resource } from '../app/places';
import { toast } from '../app/toast';
import { groupsQuery } from '../catalog/data';
import { useT } from '../i18n';
import { Dialog, Notice } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { formErrors } from '../ui/errors';
import { CheckField, SelectField, Sending, SubmitButton, TextField } from '../ui/fields';
import { Conflict } from '../ui/states';
import { unitsQuery } from './data';
import { changed, type FormField, kindOf, type Record_, type Values } from './resources';

const VALUE_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'DATE'] as const;

interface Props {
  resource: Resource;
  replace: (record: Record_) => void;
  close: () => void;
}

/** Reads the record again after a conflict: the table's page has it, or it is gone. */
async function newer(resource: Resource, record: Record_): Promise<Record_ | undefined> {
  await cache.refetchQueries({ queryKey: [resource, 'table'], type: 'active' });
  const pages = cache.getQueriesData<{ content: Record_[] }>({ queryKey: [resource, 'table'], type: 'active' });
  return pages.flatMap(([, page]) => page?.content ?? []).find(({ id }) => id === record.id);
}

export function RecordForm({ resource, record, replace, close }: Props & { record: Record_ | undefined }) {
  const t = useT();
  const queries = useQueryClient();
  const { form, title } = kindOf(resource);
  const start = form?.start(record) ?? {};
  const [values, setValues] = useState<Values>(start);
  const { key, settled } = useCreationKey();
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: async () => (record === undefined ? form?.create(values, key) : form?.update(record, changed(start, values))),
    onSuccess: async () => {
      toast(t('manage.saved'));
      close();
      await queries.invalidateQueries({ queryKey: [resource] });
    },
    onSettled: settled,
  });
  const fields = form?.fields ?? [];
  const failed = formErrors(save.error, t, fields.map((field) => field.name), { duplicate: resource === 'units' ? 'code' : 'name' });
  const missing = Object.fromEntries(
    fields.filter(({ name, required }) => required && String(values[name] ?? '').trim() === '').map(({ name }) => [name, t('form.required')]),
  );
  const errors: Record<string, string> = { ...failed.fields, ...(tried && missing) };
  return (
    <Dialog title={record === undefined ? t('manage.new', { what: t(title) }) : t('manage.change', { what: t(title) })} onClose={close}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (Object.keys(missing).length === 0) save.mutate();
        }}
      >
        <Sending.Provider value={save.isPending}>
          {fields.map((field) => (
            <FieldControl
              key={field.name}
              field={field}
              fixed={field.fixed === true && record !== undefined}
              value={values[field.name] ?? ''}
              onChange={(value) => setValues({ ...values, [field.name]: value })}
              error={errors[field.name]}
            />
          ))}
          {failed.conflict && record !== undefined && (
            <Conflict
              reload={() =>
                void newer(resource, record).then((found) => {
                  if (found === undefined) close();
                  else replace(found);
                })
              }
            />
          )}
          {failed.form !== undefined && <Notice kind="danger">{failed.form}</Notice>}
          <div className="form-actions">
            <SubmitButton>{t('action.save')}</SubmitButton>
            <button type="button" className="button quiet" onClick={close}>
              {t('action.cancel')}
            </button>
          </div>
        </Sending.Provider>
      </form>
    </Dialog>
  );
}

interface ControlProps {
  field: FormField;
  fixed: boolean;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
  error: string | undefined;
}

function FieldControl({ field, fixed, value, onChange, error }: ControlProps) {
  const t = useT();
  const groups = useQuery({ ...groupsQuery, enabled: field.kind === 'group' }).data ?? [];
  const units = useQuery({ ...unitsQuery, enabled: field.kind === 'unit' }).data ?? [];
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
      return <SelectField {...common} disabled={fixed} none={t('manage.chooseGroup')} options={groups.map(({ id, name }) => ({ value: id, label: name }))} />;
    case 'unit':
      return <SelectField {...common} none={t('manage.noUnit')} options={units.map(({ id, code, label }) => ({ value: id, label: `${code} — ${label}` }))} />;
    case 'valueType':
      return <SelectField {...common} options={VALUE_TYPES.map((type) => ({ value: type, label: t(`valueType.${type}`) }))} />;
    case 'text':
      return <TextField {...common} />;
  }
}

export function DeleteRecord({ resource, record, replace, close }: Props & { record: Record_ }) {
  const t = useT();
  const queries = useQueryClient();
  const kind = kindOf(resource);
  const remove = useMutation({
    mutationFn: () => kind.remove(record),
    onSuccess: async () => {
      toast(t('manage.deleted', { name: kind.name(record) }));
      close();
      await queries.invalidateQueries({ queryKey: [resource] });
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
