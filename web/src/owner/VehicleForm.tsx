// The form of a vehicle: its fixed fields, and those that its type asks for.
import { ApiError } from '@equipment-platform/client';
import type { EquipmentType, Vehicle } from '@equipment-platform/client/catalog';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { hasFiles } from '../app/files';
import { categoriesQuery, tagsQuery, typeQuery, typesQuery } from '../catalog/data';
import { useT } from '../i18n';
import { Notice, Plate } from '../ui/basics';
import { ConflictDialog, type Line } from '../ui/ConflictDialog';
import { type FormErrors, formErrors, NO_ERRORS } from '../ui/errors';
import { CheckField, ChoicesField, SelectField, SubmitButton, TextField, type Option } from '../ui/fields';
import { Form, FormFailure, type FormState, type Work } from '../ui/form';
import { Failure, ListFailure } from '../ui/states';
import { type Draft, draftOf, type ParamField, paramFields, paramsOf, problems } from './draft';
import { FileIds } from './FileIds';
import { canonicalPlate } from './plate';

interface Props {
  form: FormState<Draft>;
  vehicle?: Vehicle;
  error: unknown;
  sending: boolean;
  save: (work: Work<Draft>, fields: ParamField[]) => void;
  /** Forgets a failed try. */
  reset: () => void;
  /** Reads the vehicle as it is now. */
  read?: () => Promise<Vehicle>;
  submit: string;
  children?: ReactNode;
}

const PLAIN = ['equipmentTypeId', 'brandName', 'modelName', 'releaseYear', 'licensePlate', 'isActive', 'searchTagIds', 'photoFileIds', 'docFileIds'];

export function VehicleForm({ form, vehicle, error, sending, save, reset, read, submit, children }: Props) {
  const t = useT();
  const { draft, base, change } = form;
  const [sent, setSent] = useState<string[]>([]);
  const [tried, setTried] = useState(false);
  const type = useQuery({ ...typeQuery(draft.typeId), enabled: draft.typeId !== '' });
  // A type that is not offered any more is not found; the values of its vehicles stay.
  const hidden = type.error instanceof ApiError && type.error.status === 404;
  const fields = paramFields(type.data, hidden && draft.typeId === vehicle?.equipmentTypeId ? vehicle : undefined);
  const ready = draft.typeId === '' || type.data !== undefined || hidden;
  const answer = answered(formErrors(error, t, [...PLAIN, ...sent.map((_, index) => `params[${index}]`), 'params']), sent);
  // After the first try what is wrong follows the typing, so that a mended field says so at once.
  const local = tried ? Object.fromEntries(Object.entries(problems(draft, fields)).map(([name, key]) => [name, t(key)])) : {};
  const errors: Record<string, string> = { ...answer.fields, ...local };
  const send = (work: Work<Draft>) => {
    setSent(paramsOf(work.draft, fields).map(({ paramId }) => paramId));
    save(work, fields);
  };
  return (
    <>
      <Form
        form={form}
        errors={errors}
        busy={sending}
        submit={() => {
          setTried(true);
          if (ready && Object.keys(problems(draft, fields)).length === 0) send(form);
        }}
      >
        <Identity draft={draft} change={change} errors={errors} hadYear={base.year !== ''} vehicle={vehicle} />
        <Values draft={draft} change={change} errors={errors} fields={fields} type={type} hidden={hidden} />
        <Extras draft={draft} change={change} errors={errors} />
        <CheckField label={t('vehicle.isActive')} checked={draft.active} onChange={(active) => change({ active })} error={errors['isActive']} />
        <div className="form-actions">
          <FormFailure failed={answer} errors={errors} />
          <SubmitButton>{submit}</SubmitButton>
          {children}
        </div>
      </Form>
      {read !== undefined && (
        <Conflict
          error={error}
          form={form}
          fields={fields}
          read={read}
          // Another type asks for other values: the reader looks at them first.
          save={(work) => work.draft.typeId === draft.typeId && send(work)}
          reset={reset}
        />
      )}
    </>
  );
}

interface ConflictProps {
  error: unknown;
  form: FormState<Draft>;
  fields: ParamField[];
  read: () => Promise<Vehicle>;
  save: (work: Work<Draft>) => void;
  reset: () => void;
}

function Conflict({ error, form, fields, read, save, reset }: ConflictProps) {
  const t = useT();
  const types = useQuery(typesQuery).data ?? [];
  const tags = useQuery(tagsQuery).data ?? [];
  const nameOf = (list: readonly { id: string; name: string }[], id: string) => t.called(list.find((one) => one.id === id)?.name ?? id);
  const lines = (draft: Draft): Line[] => [
    { name: t('vehicle.type'), text: t.called(types.find(({ id }) => id === draft.typeId)?.title ?? draft.typeId) },
    { name: t('vehicle.brand'), text: draft.brand },
    { name: t('vehicle.model'), text: draft.model },
    { name: t('vehicle.year'), text: draft.year },
    { name: t('vehicle.plate'), text: canonicalPlate(draft.plate).text },
    { name: t('vehicle.isActive'), text: t(draft.active ? 'value.yes' : 'value.no') },
    ...fields.map(({ id, name }) => ({ name: t.called(name), text: draft.values[id] ?? '' })),
    { name: t('vehicle.tags'), text: draft.tags.map((id) => nameOf(tags, id)).join(', ') },
    // With a file service files have a page of their own.
    ...(hasFiles()
      ? []
      : [
          { name: t('vehicle.photos'), text: draft.photos.join(', ') },
          { name: t('vehicle.docs'), text: draft.docs.join(', ') },
        ]),
  ];
  const readDraft = async () => {
    const vehicle = await read();
    return { draft: draftOf(vehicle), version: vehicle.version };
  };
  return <ConflictDialog error={error} form={form} read={readDraft} lines={lines} save={save} reset={reset} />;
}

/** The service names values by their place in the list; the form knows them by parameter. */
function answered(errors: FormErrors, sent: readonly string[]): FormErrors {
  if (errors === NO_ERRORS) return errors;
  const fields = Object.entries(errors.fields).map(([name, text]) => {
    const place = /^params\[(\d+)\]/.exec(name)?.[1];
    return [place === undefined ? name : `params.${sent[Number(place)] ?? ''}`, text];
  });
  return { ...errors, fields: Object.fromEntries(fields) as Record<string, string> };
}

interface PartProps {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
  errors: Record<string, string>;
}

function Identity({ draft, change, errors, hadYear, vehicle }: PartProps & { hadYear: boolean; vehicle: Vehicle | undefined }) {
  const t = useT();
  return (
    <fieldset>
      <legend>
        <h2>{t('form.identity')}</h2>
      </legend>
      <div className="stack">
        <ListFailure queries={[useQuery(typesQuery)]} />
        <SelectField
          label={t('vehicle.type')}
          value={draft.typeId}
          none={t('form.chooseType')}
          options={useTypeOptions(vehicle)}
          onChange={(typeId) => change({ typeId })}
          error={errors['equipmentTypeId']}
          hint={
            <>
              {t('form.noType')} <Link to="/manage/types/new">{t('form.createType')}</Link>
            </>
          }
          required
        />
        <div className="form-grid">
          <TextField label={t('vehicle.brand')} value={draft.brand} onChange={(brand) => change({ brand })} error={errors['brandName']} maxLength={255} required />
          <TextField label={t('vehicle.model')} value={draft.model} onChange={(model) => change({ model })} error={errors['modelName']} maxLength={255} required />
          <TextField
            label={t('vehicle.year')}
            value={draft.year}
            onChange={(year) => change({ year })}
            error={errors['releaseYear']}
            inputMode="numeric"
            {...(hadYear && draft.year === '' && { hint: t('form.yearStays') })}
          />
          <PlateField draft={draft} change={change} errors={errors} />
        </div>
      </div>
    </fieldset>
  );
}

export function PlateField({ draft, change, errors }: PartProps) {
  const t = useT();
  const { text, problem } = canonicalPlate(draft.plate);
  return (
    <TextField
      label={t('vehicle.plate')}
      value={draft.plate}
      onChange={(plate) => change({ plate })}
      error={problem === undefined ? errors['licensePlate'] : t(problem === 'invalid' ? 'field.license_plate_invalid' : 'field.license_plate_too_long')}
      hint={
        <span aria-live="polite">
          {text === '' || problem !== undefined ? (
            t('form.plateHint')
          ) : (
            <>
              {t('form.plateStored')} <Plate value={text} />
            </>
          )}
        </span>
      }
    />
  );
}

/** Types under their first category; one that is hidden from the caller is there when the vehicle has it. */
function useTypeOptions(vehicle: Vehicle | undefined): Option[] {
  const t = useT();
  const types = useQuery(typesQuery).data ?? [];
  const categories = useQuery(categoriesQuery).data ?? [];
  const options = types.map((type) => ({
    value: type.id,
    label: t.called(type.title),
    group: t.called(categories.find((category) => category.id === type.categoryIds[0])?.name ?? t('form.otherTypes')),
  }));
  if (vehicle !== undefined && types.length > 0 && !types.some(({ id }) => id === vehicle.equipmentTypeId)) {
    options.push({ value: vehicle.equipmentTypeId, label: t('form.hiddenType'), group: t('form.otherTypes') });
  }
  return options.sort((a, b) => a.group.localeCompare(b.group, t.language) || a.label.localeCompare(b.label, t.language));
}

function Values({ draft, change, errors, fields, type, hidden }: PartProps & { fields: ParamField[]; type: UseQueryResult<EquipmentType>; hidden: boolean }) {
  const t = useT();
  return (
    <fieldset>
      <legend>
        <h2>{t('vehicle.params')}</h2>
      </legend>
      {draft.typeId === '' && <p className="muted">{t('form.typeFirst')}</p>}
      {type.isLoading && <div className="skeleton" style={{ height: '12rem' }} />}
      {type.isError && !hidden && <Failure error={type.error} retry={() => void type.refetch()} />}
      {(type.isSuccess || hidden) && fields.length === 0 && <p className="muted">{t('form.noParams')}</p>}
      <div className="form-grid">
        {fields.map((field) => (
          <ValueField
            key={field.id}
            field={field}
            value={draft.values[field.id] ?? ''}
            onChange={(value) => change({ values: { ...draft.values, [field.id]: value } })}
            error={errors[`params.${field.id}`]}
          />
        ))}
      </div>
      {errors['params'] !== undefined && <Notice kind="danger">{errors['params']}</Notice>}
    </fieldset>
  );
}

/** The control that suits the parameter's type of value. */
export function ValueField({ field, value, onChange, error }: { field: ParamField; value: string; onChange: (value: string) => void; error: string | undefined }) {
  const t = useT();
  const common = { label: t.called(field.name), value, onChange, error, required: field.required };
  switch (field.valueType) {
    case 'BOOLEAN':
      return (
        <SelectField
          {...common}
          none={t('form.notGiven')}
          options={[
            { value: 'true', label: t('value.yes') },
            { value: 'false', label: t('value.no') },
          ]}
        />
      );
    case 'DATE':
      return <TextField {...common} type="date" />;
    case 'INTEGER':
    case 'NUMBER':
      return <TextField {...common} inputMode={field.valueType === 'INTEGER' ? 'numeric' : 'decimal'} unit={field.unit && t.unit(field.unit.code)} />;
    case 'STRING':
      return <TextField {...common} unit={field.unit && t.unit(field.unit.code)} />;
  }
}

function Extras({ draft, change, errors }: PartProps) {
  const t = useT();
  const query = useQuery(tagsQuery);
  const tags = query.data ?? [];
  return (
    <>
      <ListFailure queries={[query]} />
      <ChoicesField
        label={t('vehicle.tags')}
        hint={t('form.tagsHint')}
        options={tags.map(({ id, name }) => ({ value: id, label: t.called(name) }))}
        chosen={draft.tags}
        onChange={(next) => change({ tags: next })}
        error={errors['searchTagIds']}
      />
      {!hasFiles() && (
        <>
          <FileIds label={t('vehicle.photos')} files={draft.photos} onChange={(photos) => change({ photos })} error={errors['photoFileIds']} />
          <FileIds label={t('vehicle.docs')} files={draft.docs} onChange={(docs) => change({ docs })} error={errors['docFileIds']} />
        </>
      )}
    </>
  );
}
