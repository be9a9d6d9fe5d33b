// The parameters of a machine, each against those of others of its type.
import type { ParamFacet, Vehicle, VehicleParam } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { useT } from '../i18n';
import { facetsQuery } from './data';
import { ParamValue } from './ParamValue';

export function ParamTable({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const facets = useQuery(facetsQuery({ equipmentTypeId: vehicle.equipmentTypeId })).data?.params ?? [];
  if (vehicle.params.length === 0) return <p className="muted">{t('vehicle.noParams')}</p>;
  return (
    <dl className="facts">
      {vehicle.params.map((param) => (
        <Fact key={param.paramId} param={param} facet={facets.find(({ paramId }) => paramId === param.paramId)} />
      ))}
    </dl>
  );
}

function Fact({ param, facet }: { param: VehicleParam; facet: ParamFacet | undefined }) {
  const t = useT();
  return (
    <>
      <dt>{t.called(param.name)}</dt>
      <dd>
        <ParamValue param={param} />
        <Place param={param} facet={facet} />
      </dd>
    </>
  );
}

/** Where the value stands between the least and the most of its type. */
function Place({ param: { value, unit }, facet }: { param: VehicleParam; facet: ParamFacet | undefined }) {
  const t = useT();
  const { min, max } = facet ?? {};
  if (typeof value !== 'number' || typeof min !== 'number' || typeof max !== 'number' || max <= min) return null;
  const share = Math.min(1, Math.max(0, (value - min) / (max - min)));
  const amount = (number: number) => `${t.number(number, { maximumFractionDigits: 12 })}${unit === undefined ? '' : `\u00a0${t.unit(unit.code)}`}`;
  return (
    <span className="place">
      <span className="scale" aria-hidden="true">
        <i style={{ insetInlineStart: `${share * 100}%` }} />
      </span>
      <span className="muted small">{t('vehicle.range', { min: amount(min), max: amount(max) })}</span>
    </span>
  );
}
