// The form of a vehicle: its fixed fields, and those that its type asks for.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { categoriesQuery, tagsQuery, typeQuery, typesQuery } from '../catalog/data';
import { useT } from '../i18n';
import { Notice, Plate } from '../ui/basics';
import { type FormErrors, formErrors, NO_ERRORS } from '../ui/errors';
import { CheckField, ChoicesField, SelectField, Sending, SubmitButton, TextField, type Option } from '../ui/fields';
import { Conflict } from '../ui/states';
import { type Draft, type ParamField, paramFields, paramsOf, problems } from './draft';
import { FileIds } from './FileIds';
import { canonicalPlate } from './plate';

interface Props {
  start: Draft;
  vehicle?: Vehicle;
  error: unknown;
  sending: boolean;
  save: (draft: Draft, fields: ParamField[]) => void;
  reload?: () => void;
  submit: string;
  children?: ReactNode;
}

const PLAIN = ['equipmentTypeId', 'brandName', 'modelName', 'releaseYear', 'licensePlate', 'isActive', 'searchTagIds', 'photoFileIds', 'docFileIds'];

export function VehicleForm({ start, vehicle, error, sending, save, reload, submit, children }: Props) {
  const t = useT();
  const [draft, setDraft] = useState(start);
  const [sent, setSent] = useState<string[]>([]);
  const [tried, setTried] = useState(false);
  const type = useQuery({ ...typeQuery(draft.typeId), enabled: draft.typeId !== '', retry: false });
  const fields = paramFields(type.data, draft.typeId === vehicle?.equipmentTypeId ? vehicle : undefined);
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next });
  const answer = answered(formErrors(error, t, [...PLAIN, ...sent.map((_, index) => `params[${index}]`), 'params']), sent);
  // After the first try what is wrong follows the typing, so that a mended field says so at once.
  const local = tried ? Object.fromEntries(Object.entries(problems(draft, fields)).map(([name, key]) => [name, t(key)])) : {};
  const errors: Record<string, string> = { ...answer.fields, ...local };
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (Object.keys(problems(draft, fields)).length > 0) return focusFirstError(event.currentTarget);
        setSent(paramsOf(draft, fields).map(({ paramId }) => paramId));
        save(draft, fields);
      }}
    >
      <Sending.Provider value={sending}>
        <Identity draft={draft} change={change} errors={errors} hadYear={start.year !== ''} vehicle={vehicle} />
        <Values draft={draft} change={change} errors={errors} fields={fields} loading={type.isLoading} />
        <Extras draft={draft} change={change} errors={errors} />
        <CheckField label={t('vehicle.isActive')} checked={draft.active} onChange={(active) => change({ active })} error={errors['isActive']} />
        <div className="form-actions">
          {answer.conflict && reload !== undefined && <Conflict reload={reload} />}
          {answer.form !== undefined && <Notice kind="danger">{answer.form}</Notice>}
          {Object.keys(errors).length > 0 && <Notice kind="danger">{t('form.fix', { count: Object.keys(errors).length })}</Notice>}
          <SubmitButton>{submit}</SubmitButton>
          {children}
        </div>
      </Sending.Provider>
    </form>
  );
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

function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
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
    label: type.title,
    group: categories.find((category) => category.id === type.categoryIds[0])?.name ?? t('form.otherTypes'),
  }));
  if (vehicle !== undefined && types.length > 0 && !types.some(({ id }) => id === vehicle.equipmentTypeId)) {
    options.push({ value: vehicle.equipmentTypeId, label: t('form.hiddenType'), group: t('form.otherTypes') });
  }
  return options.sort((a, b) => a.group.localeCompare(b.group, t.language) || a.label.localeCompare(b.label, t.language));
}

function Values({ draft, change, errors, fields, loading }: PartProps & { fields: ParamField[]; loading: boolean }) {
  const t = useT();
  return (
    <fieldset>
      <legend>
        <h2>{t('vehicle.params')}</h2>
      </legend>
      {draft.typeId === '' && <p className="muted">{t('form.typeFirst')}</p>}
      {loading && <div className="skeleton" style={{ height: '12rem' }} />}
      {draft.typeId !== '' && !loading && fields.length === 0 && <p className="muted">{t('form.noParams')}</p>}
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
  const common = { label: field.name, value, onChange, error, required: field.required };
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
      return <TextField {...common} inputMode={field.valueType === 'INTEGER' ? 'numeric' : 'decimal'} unit={field.unit?.code} />;
    case 'STRING':
      return <TextField {...common} unit={field.unit?.code} />;
  }
}

function Extras({ draft, change, errors }: PartProps) {
  const t = useT();
  const tags = useQuery(tagsQuery).data ?? [];
  return (
    <>
      <ChoicesField
        label={t('vehicle.tags')}
        hint={t('form.tagsHint')}
        options={tags.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={draft.tags}
        onChange={(next) => change({ tags: next })}
        error={errors['searchTagIds']}
      />
      <FileIds label={t('vehicle.photos')} files={draft.photos} onChange={(photos) => change({ photos })} error={errors['photoFileIds']} />
      <FileIds label={t('vehicle.docs')} files={draft.docs} onChange={(docs) => change({ docs })} error={errors['docFileIds']} />
    </>
  );
}
