// The parameters of a type, in their order.
import type { Param } from '@equipment-platform/client/catalog';
import { useT } from '../i18n';
import { SelectField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { MoveButtons, useOrder } from '../ui/ordering';

interface Props {
  all: readonly Param[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error: string | undefined;
}

export function TypeParams({ all, chosen, onChange, error }: Props) {
  const t = useT();
  const [move, said] = useOrder(chosen, onChange);
  const describe = (param: Param) => `${t.called(param.name)}${param.unit === undefined ? '' : `, ${t.unit(param.unit.code)}`}`;
  const left = all.filter(({ id, isActive }) => isActive && !chosen.includes(id));
  return (
    <fieldset className="stack tight">
      <legend>{t('manage.params')}</legend>
      {said}
      {chosen.length > 0 && (
        <ol className="ordered">
          {chosen.map((id, index) => {
            const param = all.find((one) => one.id === id);
            const name = param === undefined ? id : describe(param);
            return (
              <li key={id}>
                <span>
                  {name} {param?.isRequired && <span className="badge">{t('type.required')}</span>}
                </span>
                <MoveButtons index={index} last={chosen.length - 1} name={name} move={move} className="button quiet icon small" />
                <button type="button" className="button quiet icon small" aria-label={t('files.remove', { file: name })} onClick={() => onChange(chosen.filter((one) => one !== id))}>
                  <Sign name="close" size={16} />
                </button>
              </li>
            );
          })}
        </ol>
      )}
      <SelectField
        label={t('type.addParam')}
        hint={t('type.paramsHint')}
        value=""
        none={t('type.chooseParam')}
        options={left.map((param) => ({ value: param.id, label: describe(param) }))}
        onChange={(id) => id !== '' && onChange([...chosen, id])}
        error={error}
      />
    </fieldset>
  );
}
