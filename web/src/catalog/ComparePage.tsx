// Two to four machines side by side.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useNames } from '../app/people';
import { useT } from '../i18n';
import { Empty, PageHead, Photo, Plate, Skeleton, Stars } from '../ui/basics';
import { CheckField } from '../ui/fields';
import { CopyLink } from './ListTools';
import { ParamValue } from './ParamValue';
import { useVehicles } from './Rows';
import { FavouriteButton } from './ShelfButtons';
import { useType } from './VehicleCard';

const route = getRouteApi('/compare');

export function ComparePage() {
  const t = useT();
  const { id: ids = [] } = route.useSearch();
  const { vehicles, pending } = useVehicles(ids);
  const [different, setDifferent] = useState(false);
  return (
    <>
      <PageHead title={t('compare.title')} lead={t('compare.lead')} crumbs={<Link to="/equipment">{t('nav.browse')}</Link>}>
        <CopyLink />
      </PageHead>
      {pending ? (
        <Skeleton height="62rem" />
      ) : vehicles.length === 0 ? (
        <Empty title={t('compare.nothing')}>
          <p>{t('compare.nothingHint')}</p>
          <Link to="/equipment" className="button">
            {t('nav.browse')}
          </Link>
        </Empty>
      ) : (
        <div className="stack">
          <CheckField label={t('compare.different')} checked={different} onChange={setDifferent} />
          <Table vehicles={vehicles} different={different} />
        </div>
      )}
    </>
  );
}

function Table({ vehicles, different }: { vehicles: readonly Vehicle[]; different: boolean }) {
  const t = useT();
  const nameOf = useNames(vehicles.map(({ ownerUserId }) => ownerUserId));
  const params = [...new Map(vehicles.flatMap(({ params }) => params).map((param) => [param.paramId, param])).values()];
  const facts = [
    { key: 'year', name: t('vehicle.year'), of: (vehicle: Vehicle) => vehicle.releaseYear ?? '—' },
    { key: 'plate', name: t('vehicle.plate'), of: ({ licensePlate }: Vehicle) => (licensePlate === null ? '—' : <Plate value={licensePlate} />), as: (vehicle: Vehicle) => vehicle.licensePlate },
    { key: 'owner', name: t('vehicle.owner'), of: ({ ownerUserId }: Vehicle) => nameOf(ownerUserId) },
  ];
  const differs = (value: (vehicle: Vehicle) => unknown) => new Set(vehicles.map((vehicle) => JSON.stringify(value(vehicle) ?? null))).size > 1;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t('compare.title')}>
      <table className="difference comparison">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('conflict.field')}</span>
            </th>
            {vehicles.map((vehicle) => (
              <th key={vehicle.id} scope="col">
                <Head vehicle={vehicle} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts
            .filter(({ of, as }) => !different || differs(as ?? of))
            .map(({ key, name, of }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {vehicles.map((vehicle) => (
                  <td key={vehicle.id}>{of(vehicle)}</td>
                ))}
              </tr>
            ))}
          {params.map(({ paramId, name }) => {
            const of = (vehicle: Vehicle) => vehicle.params.find((param) => param.paramId === paramId);
            const unlike = differs((vehicle) => of(vehicle)?.value);
            if (different && !unlike) return null;
            return (
              <tr key={paramId} className={unlike && !different ? 'unlike' : undefined}>
                <th scope="row">{t.called(name)}</th>
                {vehicles.map((vehicle) => {
                  const param = of(vehicle);
                  return <td key={vehicle.id}>{param === undefined ? '—' : <ParamValue param={param} />}</td>;
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Head({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const navigate = route.useNavigate();
  const { id: ids = [] } = route.useSearch();
  const { title, machine } = useType(vehicle.equipmentTypeId);
  const name = `${vehicle.brandName} ${vehicle.modelName}`;
  return (
    <div className="stack tight">
      <Photo machine={machine} fileId={vehicle.photoFileIds[0]} sizes="16rem" eager />
      <Link to="/equipment/$id" params={{ id: vehicle.id }}>
        {name}
      </Link>
      <span className="muted small">{title || '\u00a0'}</span>
      <Stars average={vehicle.ratingAvg} count={vehicle.ratingCount} />
      <span className="row">
        <FavouriteButton vehicle={vehicle} />
        <button type="button" className="button small quiet" aria-label={t('files.remove', { file: name })} onClick={() => void navigate({ search: { id: ids.filter((id) => id !== vehicle.id) }, replace: true })}>
          {t('action.remove')}
        </button>
      </span>
    </div>
  );
}
