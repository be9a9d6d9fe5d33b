// All machines, hidden ones too: for administrators, who may show, hide and delete several at once.
import { ifMatch } from '@equipment-platform/client';
import { deleteVehicle, updateVehicle, type Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { catalog } from '../app/api';
import { useNames } from '../app/people';
import type { AllVehiclesSearch } from '../app/places';
import { facetsQuery, vehiclesQuery } from '../catalog/data';
import { useT } from '../i18n';
import { Empty, PageHead, Photo, Plate, Skeleton, Visibility } from '../ui/basics';
import { LateText, SelectField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { machineOf } from '../ui/machines';
import { PastTheEnd, Pager } from '../ui/Pager';
import { Guard, Shown } from '../ui/states';
import { Changed } from './Changed';
import { Tabs } from './ResourcePage';
import { Pick, PickAll, type Picked, Several, type Together, usePicked } from './Several';

const route = getRouteApi('/manage/vehicles');
const SIZE = 20;
const COLUMNS = [
  { label: 'manage.machine', sort: 'brandName' },
  { label: 'vehicle.type' },
  { label: 'vehicle.owner', sort: 'ownerUserId' },
  { label: 'vehicle.plate', sort: 'licensePlate' },
  { label: 'manage.isActive', sort: 'isActive' },
  { label: 'manage.createdAt', sort: 'createdAt' },
  { label: 'manage.updatedAt', sort: 'updatedAt' },
] as const;

export function VehiclesPage() {
  const t = useT();
  return (
    <Guard permission="CATALOG_WRITE">
      <Tabs />
      <PageHead title={t('manage.vehicles')} lead={t('manage.vehiclesLead')} />
      <All />
    </Guard>
  );
}

function All() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 1, sort = 'createdAt,desc', brand, type, owner, plate } = search;
  const change = (next: AllVehiclesSearch) => void navigate({ search: { ...search, page: undefined, ...next }, resetScroll: false, replace: true });
  const go = (next: number) => void navigate({ search: { ...search, page: next } });
  const filters = {
    ...(brand !== undefined && { brandName: brand }),
    ...(type !== undefined && { equipmentTypeId: type }),
    ...(owner !== undefined && { ownerUserId: owner }),
    ...(plate !== undefined && { licensePlate: plate }),
  };
  const query = useQuery(vehiclesQuery({ page, size: SIZE, sort: [sort], ...filters }));
  const facets = useQuery(facetsQuery(filters, 'all')).data;
  return (
    <div className="results" aria-busy={query.isPlaceholderData}>
      <div className="filter-row">
        <SelectField
          label={t('vehicle.brand')}
          value={brand ?? ''}
          none={t('filter.any')}
          options={(facets?.brands ?? []).map(({ name, count }) => ({ value: name, label: t('filter.counted', { name, count }) }))}
          onChange={(brand) => change({ brand: brand || undefined })}
        />
        <SelectField
          label={t('vehicle.type')}
          value={type ?? ''}
          none={t('filter.any')}
          options={(facets?.equipmentTypes ?? []).map(({ id, title, count }) => ({ value: id, label: t('filter.counted', { name: t.called(title), count }) }))}
          onChange={(type) => change({ type: type || undefined })}
        />
        <LateText label={t('vehicle.owner')} value={owner ?? ''} commit={(owner) => change({ owner: owner || undefined })} />
        <LateText label={t('filter.plate')} value={plate ?? ''} commit={(plate) => change({ plate: plate || undefined })} mono />
      </div>
      <p role="status" className="muted">
        {query.isPlaceholderData ? t('state.updating') : query.data === undefined ? '\u00a0' : t('browse.found', { count: query.data.totalElements })}
      </p>
      <Shown query={query} skeleton={<Skeleton height="40rem" />}>
        {({ content, currentPage, pageSize, totalElements }) =>
          content.length === 0 && totalElements > 0 ? (
            <PastTheEnd page={currentPage} size={pageSize} total={totalElements} go={go} />
          ) : content.length === 0 ? (
            <Empty title={t('manage.nothingPasses')} />
          ) : (
            <>
              <Table key={`${page}/${sort}`} vehicles={content} sort={sort} change={(sort) => change({ sort })} />
              <Pager page={currentPage} size={pageSize} total={totalElements} go={go} />
            </>
          )
        }
      </Shown>
    </div>
  );
}

const at = (vehicle: Vehicle) => ({ client: catalog(), path: { id: vehicle.id }, headers: ifMatch(vehicle) });

const TOGETHER: Together<Vehicle> = {
  key: 'vehicles',
  activate: { on: 'action.show', off: 'action.hide', set: (vehicle, isActive) => updateVehicle({ ...at(vehicle), body: { isActive } }) },
  remove: (vehicle) => deleteVehicle(at(vehicle)),
  changed: 'manage.changedMany',
  deleteTitle: 'manage.deleteMany',
  deleteText: 'manage.deleteManyText',
};

const nameOf = (vehicle: Vehicle): string => `${vehicle.brandName} ${vehicle.modelName}`;

function Table({ vehicles, sort, change }: { vehicles: readonly Vehicle[]; sort: string; change: (sort: string) => void }) {
  const t = useT();
  const picked = usePicked(vehicles);
  const [field, direction] = sort.split(',');
  return (
    <>
      <Several picked={picked} together={TOGETHER} />
      <div className="table-scroll" tabIndex={0} role="region" aria-label={t('manage.vehicles')}>
        <table>
          <thead>
            <tr>
              <PickAll picked={picked} records={vehicles} />
              {COLUMNS.map((column) =>
                'sort' in column ? (
                  <th key={column.label} scope="col" aria-sort={field !== column.sort ? 'none' : direction === 'desc' ? 'descending' : 'ascending'}>
                    <button type="button" className="sort" onClick={() => change(`${column.sort},${field === column.sort && direction === 'asc' ? 'desc' : 'asc'}`)}>
                      {t(column.label)}
                      {field === column.sort && <Sign name={direction === 'desc' ? 'down' : 'up'} size={14} />}
                    </button>
                  </th>
                ) : (
                  <th key={column.label} scope="col">
                    {t(column.label)}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {vehicles.map((vehicle) => (
              <VehicleRow key={vehicle.id} vehicle={vehicle} picked={picked} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function VehicleRow({ vehicle, picked }: { vehicle: Vehicle; picked: Picked<Vehicle> }) {
  const t = useT();
  const personOf = useNames([vehicle.ownerUserId]);
  // Administrators' facets have every type, hidden ones too.
  const title = useQuery(facetsQuery({}, 'all')).data?.equipmentTypes.find(({ id }) => id === vehicle.equipmentTypeId)?.title;
  return (
    <tr>
      <Pick picked={picked} record={vehicle} name={nameOf(vehicle)} />
      <td data-label={t('manage.machine')}>
        <span className="pictured">
          <Photo machine={machineOf(title)} fileId={vehicle.photoFileIds[0]} sizes="4rem" />
          <Link to="/equipment/$id" params={{ id: vehicle.id }}>
            {nameOf(vehicle)}
          </Link>
        </span>
      </td>
      <td data-label={t('vehicle.type')}>{title === undefined ? '…' : t.called(title)}</td>
      <td data-label={t('vehicle.owner')}>{personOf(vehicle.ownerUserId)}</td>
      <td data-label={t('vehicle.plate')}>{vehicle.licensePlate === null ? '—' : <Plate value={vehicle.licensePlate} />}</td>
      <td data-label={t('manage.isActive')}>
        <Visibility active={vehicle.isActive} />
      </td>
      <td data-label={t('manage.createdAt')}>
        <Changed at={vehicle.createdAt} by={vehicle.createdBy} />
      </td>
      <td data-label={t('manage.updatedAt')}>
        <Changed at={vehicle.updatedAt} by={vehicle.updatedBy} />
      </td>
    </tr>
  );
}
