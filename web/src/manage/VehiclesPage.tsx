// All machines, hidden ones too: for administrators, who may show, hide and delete several at once.
import { ifMatch } from '@equipment-platform/client';
import { deleteVehicle, updateVehicle, type Vehicle } from '@equipment-platform/client/catalog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { catalog } from '../app/api';
import { useNames } from '../app/people';
import type { AllVehiclesSearch } from '../app/places';
import { toast } from '../app/toast';
import { facetsQuery, vehiclesQuery } from '../catalog/data';
import { useT } from '../i18n';
import { Empty, PageHead, Plate, Skeleton, Visibility } from '../ui/basics';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { describe } from '../ui/errors';
import { LateText, SelectField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { PastTheEnd, Pager } from '../ui/Pager';
import { Guard, Shown } from '../ui/states';
import { Changed } from './Changed';
import { Tabs } from './ResourcePage';

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
  const facets = useQuery(facetsQuery(filters)).data;
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

const nameOf = (vehicle: Vehicle): string => `${vehicle.brandName} ${vehicle.modelName}`;

function Table({ vehicles, sort, change }: { vehicles: readonly Vehicle[]; sort: string; change: (sort: string) => void }) {
  const t = useT();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = vehicles.filter(({ id }) => picked.has(id));
  const pick = (ids: readonly string[], on: boolean) => setPicked(new Set(on ? [...picked, ...ids] : [...picked].filter((id) => !ids.includes(id))));
  const [field, direction] = sort.split(',');
  return (
    <>
      <Several chosen={chosen} done={() => setPicked(new Set())} />
      <div className="table-scroll" tabIndex={0} role="region" aria-label={t('manage.vehicles')}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <input
                  type="checkbox"
                  aria-label={t('manage.chooseAll')}
                  checked={chosen.length === vehicles.length}
                  onChange={(event) => pick(vehicles.map(({ id }) => id), event.target.checked)}
                />
              </th>
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
              <VehicleRow key={vehicle.id} vehicle={vehicle} picked={picked.has(vehicle.id)} pick={(on) => pick([vehicle.id], on)} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function VehicleRow({ vehicle, picked, pick }: { vehicle: Vehicle; picked: boolean; pick: (on: boolean) => void }) {
  const t = useT();
  const personOf = useNames([vehicle.ownerUserId]);
  // Administrators' facets have every type, hidden ones too.
  const title = useQuery(facetsQuery({})).data?.equipmentTypes.find(({ id }) => id === vehicle.equipmentTypeId)?.title;
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={t('manage.choose', { name: nameOf(vehicle) })} checked={picked} onChange={(event) => pick(event.target.checked)} />
      </td>
      <td data-label={t('manage.machine')}>
        <Link to="/equipment/$id" params={{ id: vehicle.id }}>
          {nameOf(vehicle)}
        </Link>
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

/** What is done with all that are chosen; each is compared with the version that is shown. */
function Several({ chosen, done }: { chosen: readonly Vehicle[]; done: () => void }) {
  const t = useT();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const apply = useMutation({
    mutationFn: async (what: 'show' | 'hide' | 'delete') => {
      const results = await Promise.allSettled(
        chosen.map((vehicle) => {
          const at = { client: catalog(), path: { id: vehicle.id }, headers: ifMatch(vehicle) };
          return what === 'delete' ? deleteVehicle(at) : updateVehicle({ ...at, body: { isActive: what === 'show' } });
        }),
      );
      const failed = results.filter((result) => result.status === 'rejected');
      const count = results.length - failed.length;
      toast(failed.length === 0 ? t('manage.changedMany', { count }) : t('manage.someFailed', { done: count, failed: failed.length, why: describe(failed[0]?.reason, t) }));
    },
    onSettled: () => {
      setAsking(false);
      done();
      return queries.invalidateQueries({ queryKey: ['vehicles'] });
    },
  });
  const none = chosen.length === 0 || apply.isPending;
  return (
    <div className="row" role="group" aria-label={t('manage.actions')}>
      <span className="muted">{t('manage.chosen', { count: chosen.length })}</span>
      <button type="button" className="button small" disabled={none} onClick={() => apply.mutate('show')}>
        {t('action.show')}
      </button>
      <button type="button" className="button small" disabled={none} onClick={() => apply.mutate('hide')}>
        {t('action.hide')}
      </button>
      <button type="button" className="button small danger" disabled={none} onClick={() => setAsking(true)}>
        {t('action.delete')}
      </button>
      {asking && (
        <ConfirmDialog
          title={t('manage.deleteMany', { count: chosen.length })}
          text={t('manage.deleteManyText')}
          error={null}
          busy={apply.isPending}
          confirm={() => apply.mutate('delete')}
          close={() => setAsking(false)}
        />
      )}
    </div>
  );
}
