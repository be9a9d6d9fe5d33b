// Filters by the parameters of the chosen type, each by what its values are.
import type { ParamFacet } from '@equipment-platform/client/catalog';
import { useT } from '../i18n';
import { LateText, SelectField } from '../ui/fields';
import { type Bound, boundOf, withBound } from './criteria';
import type { FilterProps } from './Filters';

const NUMBER = /^-?\d+(\.\d+)?$/;

export function ParamFilters({ search, facets, change }: FilterProps) {
  const params = (facets?.params ?? []).filter((param) => param.min !== undefined || (param.values?.length ?? 0) > 0);
  return (
    <>
      {params.map((param) => (
        <OneParam key={param.paramId} param={param} search={search} change={change} />
      ))}
    </>
  );
}

function OneParam({ param, search, change }: Omit<FilterProps, 'facets'> & { param: ParamFacet }) {
  const t = useT();
  const { paramId, valueType, unit, min, max, values } = param;
  const name = unit === undefined ? t.called(param.name) : t('filter.inUnit', { name: t.called(param.name), unit: t.unit(unit.code) });
  const set = (op: Bound, value: string) => change({ param: withBound(search, paramId, op, value) }, true);
  if (values !== undefined) {
    const chosen = boundOf(search, paramId, 'eq');
    const label = (value: string) => (valueType === 'BOOLEAN' ? t(value === 'true' ? 'value.yes' : 'value.no') : t.called(value));
    const options = values.map(({ value, count }) => ({ value: String(value), label: t('filter.counted', { name: label(String(value)), count }) }));
    if (chosen !== '' && !options.some(({ value }) => value === chosen)) options.push({ value: chosen, label: label(chosen) });
    return <SelectField label={name} value={chosen} none={t('filter.any')} options={options} onChange={(value) => set('eq', value)} />;
  }
  const bound = (op: Bound) => (text: string) => {
    const value = text.replace(',', '.');
    if (value === '' || NUMBER.test(value)) set(op, value);
  };
  if (valueType === 'DATE') {
    return <LateText label={t('filter.since', { name })} type="date" value={boundOf(search, paramId, 'gte')} commit={(value) => set('gte', value)} />;
  }
  return (
    <fieldset className="field">
      <legend>{name}</legend>
      <div className="pair">
        <LateText label={t('filter.from')} value={boundOf(search, paramId, 'gte')} commit={bound('gte')} placeholder={shown(min)} inputMode="decimal" />
        <LateText label={t('filter.to')} value={boundOf(search, paramId, 'lte')} commit={bound('lte')} placeholder={shown(max)} inputMode="decimal" />
      </div>
    </fieldset>
  );

  function shown(value: unknown): string | undefined {
    return typeof value === 'number' ? t.number(value, { maximumFractionDigits: 12 }) : undefined;
  }
}
