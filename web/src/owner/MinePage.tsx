// My equipment: what the caller offers, hidden machines included.
import { ifMatch, VersionConflict } from '@equipment-platform/client';
import { updateVehicle, type Vehicle } from '@equipment-platform/client/catalog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { catalog, readAgain } from '../app/api';
import { noted } from '../app/hidden';
import { type MineSearch, VEHICLE_SORTS } from '../app/places';
import { toast } from '../app/toast';
import { filtersOf } from '../catalog/criteria';
import { facetsQuery, PAGE_SIZE, vehiclesQuery } from '../catalog/data';
import { SortChoice } from '../catalog/SortChoice';
import { CardSkeletons, VehicleCard } from '../catalog/VehicleCard';
import { useT } from '../i18n';
import { Empty, PageHead, Visibility } from '../ui/basics';
import { describe } from '../ui/errors';
import { LateText, SelectField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { PastTheEnd, Pager } from '../ui/Pager';
import { Guard, ListFailure, Shown } from '../ui/states';

const route = getRouteApi('/mine');

export function MinePage() {
  return (
    <Guard permission="VEHICLE_WRITE">
      <Mine />
    </Guard>
  );
}

function Mine() {
  const t = useT();
  const search = route.useSearch();
  const { page = 1, sort = VEHICLE_SORTS[0], brand, type, plate } = search;
  const navigate = route.useNavigate();
  const change = (next: MineSearch, replace = false) => void navigate({ search: { ...search, page: undefined, ...next }, resetScroll: false, replace });
  const go = (next: number) => void navigate({ search: { ...search, page: next } });
  const filters = filtersOf({ brand, type, plate });
  const filtered = Object.keys(filters).length > 0;
  const query = useQuery(vehiclesQuery({ view: 'own', page, size: PAGE_SIZE, sort: [sort], ...filters }));
  return (
    <>
      <PageHead title={t('nav.mine')} lead={t('mine.lead')}>
        <Link to="/mine/new" className="button primary">
          <Sign name="plus" size={18} />
          {t('mine.add')}
        </Link>
      </PageHead>
      <section className="results" aria-busy={query.isPlaceholderData}>
        <Narrow search={search} change={change} />
        <div className="row spread">
          <p className="muted" role="status">
            {query.isPlaceholderData ? t('state.updating') : query.data === undefined ? '\u00a0' : t('browse.found', { count: query.data.totalElements })}
          </p>
          <SortChoice value={sort} change={(next) => change({ sort: next })} />
        </div>
        <Shown query={query} skeleton={<CardSkeletons />}>
          {({ content, currentPage, pageSize, totalElements }) =>
            content.length === 0 && totalElements > 0 ? (
              <PastTheEnd page={currentPage} size={pageSize} total={totalElements} go={go} />
            ) : content.length === 0 && filtered ? (
              <Empty title={t('mine.nothingPasses')}>
                <button type="button" className="button" onClick={() => change({ brand: undefined, type: undefined, plate: undefined })}>
                  {t('filter.clear')}
                </button>
              </Empty>
            ) : content.length === 0 ? (
              <Empty title={t('mine.nothing')} sign="plus">
                <p>{t('mine.nothingHint')}</p>
                <Link to="/mine/new" className="button primary">
                  {t('mine.add')}
                </Link>
              </Empty>
            ) : (
              <>
                <div className="cards">
                  {content.map((vehicle) => (
                    <VehicleCard key={vehicle.id} vehicle={vehicle} badge={<Visibility active={vehicle.isActive} />}>
                      <Actions vehicle={vehicle} />
                    </VehicleCard>
                  ))}
                </div>
                <Pager page={currentPage} size={pageSize} total={totalElements} go={go} />
              </>
            )
          }
        </Shown>
      </section>
    </>
  );
}

/** By what there is of one's own, hidden machines too. */
function Narrow({ search: { brand, type, plate }, change }: { search: MineSearch; change: (next: MineSearch, replace?: boolean) => void }) {
  const t = useT();
  const query = useQuery(facetsQuery(filtersOf({ brand, type, plate }), 'own'));
  const { brands = [], equipmentTypes = [] } = query.data ?? {};
  return (
    <div className="filter-row">
      <ListFailure queries={[query]} />
      <SelectField
        label={t('vehicle.type')}
        value={type ?? ''}
        none={t('filter.any')}
        options={equipmentTypes.map(({ id, title, count }) => ({ value: id, label: t('filter.counted', { name: t.called(title), count }) }))}
        onChange={(next) => change({ type: next || undefined })}
      />
      <SelectField
        label={t('vehicle.brand')}
        value={brand ?? ''}
        none={t('filter.any')}
        options={brands.map(({ name, count }) => ({ value: name, label: t('filter.counted', { name, count }) }))}
        onChange={(next) => change({ brand: next || undefined })}
      />
      <LateText label={t('filter.plate')} value={plate ?? ''} commit={(next) => change({ plate: next || undefined }, true)} mono />
    </div>
  );
}

function Actions({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const name = `${vehicle.brandName} ${vehicle.modelName}`;
  const toggle = useMutation({
    mutationFn: async () => noted((await updateVehicle({ client: catalog(), path: { id: vehicle.id }, headers: ifMatch(vehicle), body: { isActive: !vehicle.isActive } })).data),
    onSuccess: () => toast(t(vehicle.isActive ? 'mine.hidden' : 'mine.shown', { name })),
    onError: (error) => toast(error instanceof VersionConflict ? t('mine.changed', { name }) : describe(error, t)),
    onSettled: () => readAgain(['vehicles']),
  });
  return (
    <div className="row above">
      <Link to="/mine/$id" params={{ id: vehicle.id }} className="button small" aria-label={t('mine.edit', { name })}>
        {t('action.edit')}
      </Link>
      <Link to="/mine/new" search={{ copy: vehicle.id }} className="button small" aria-label={t('mine.copyName', { name })}>
        {t('mine.copy')}
      </Link>
      <button
        type="button"
        className="button small"
        disabled={toggle.isPending}
        aria-label={t(vehicle.isActive ? 'mine.hide' : 'mine.show', { name })}
        onClick={() => toggle.mutate()}
      >
        {t(vehicle.isActive ? 'action.hide' : 'action.show')}
      </button>
    </div>
  );
}
