// The value of a parameter in the reader's way of writing it, with its unit.
import type { VehicleParam } from '@equipment-platform/client/catalog';
import { useT } from '../i18n';

const DIGITS: Intl.NumberFormatOptions = { maximumFractionDigits: 12 };

export function ParamValue({ param }: { param: VehicleParam }) {
  const t = useT();
  return (
    <>
      {text()}
      {param.unit !== undefined && <span title={t.called(param.unit.label)}>{`\u00a0${t.unit(param.unit.code)}`}</span>}
    </>
  );

  function text(): string {
    const { value } = param;
    if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
    if (typeof value === 'number') return t.number(value, DIGITS);
    return param.valueType === 'DATE' ? t.date(`${value}T00:00:00`) : t.called(value);
  }
}
