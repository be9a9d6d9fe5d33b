// Browsing: filters, order and page stand in the address, so that a list can be sent to somebody.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type BrowseSearch, VEHICLE_SORTS } from '../app/places';
import { useT } from '../i18n';
import { Empty, PageHead } from '../ui/basics';
import { PastTheEnd, Pager } from '../ui/Pager';
import { Shown } from '../ui/states';
import { PAGE_SIZE, vehiclesQuery } from './data';
import { Filters } from './Filters';
import { SortChoice } from './SortChoice';
import { CardSkeletons, VehicleCard } from './VehicleCard';

const route = getRouteApi('/equipment');

export function BrowsePage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // What is typed step by step is one step back.
  const change = (next: BrowseSearch, replace = false) => void navigate({ search: { ...search, page: undefined, ...next }, resetScroll: false, replace });
  const go = (next: number) => void navigate({ search: { ...search, page: next === 1 ? undefined : next } });
  const query = useQuery(
    vehiclesQuery({
      view: 'public',
      page: search.page ?? 1,
      size: PAGE_SIZE,
      sort: [search.sort ?? VEHICLE_SORTS[0]],
      ...(search.type !== undefined && { equipmentTypeId: search.type }),
      ...(search.category !== undefined && { categoryId: search.category }),
      ...(search.tag !== undefined && { searchTagId: search.tag }),
      ...(search.brand !== undefined && { brandName: search.brand }),
      ...(search.plate !== undefined && { licensePlate: search.plate }),
      ...(search.rating !== undefined && { minRatingAvg: search.rating }),
      ...(search.reviews !== undefined && { minRatingCount: search.reviews }),
    }),
  );
  return (
    <>
      <PageHead title={t('browse.title')} lead={t('browse.lead')} />
      <div className="browse">
        <Filters search={search} change={change} found={query.isPlaceholderData ? undefined : query.data?.totalElements} />
        <section className="results" aria-label={t('search.results')} aria-busy={query.isPlaceholderData}>
          <div className="row spread">
            <p className="muted" role="status">
              {query.isPlaceholderData ? t('state.updating') : query.data === undefined ? '\u00a0' : t('browse.found', { count: query.data.totalElements })}
            </p>
            <SortChoice value={search.sort ?? VEHICLE_SORTS[0]} change={(sort) => change({ sort })} />
          </div>
          <Shown query={query} skeleton={<CardSkeletons count={9} />}>
            {(page) =>
              page.content.length === 0 && page.totalElements > 0 ? (
                <PastTheEnd page={page.currentPage} size={page.pageSize} total={page.totalElements} go={go} />
              ) : page.content.length === 0 ? (
                <Empty title={t('browse.nothing')}>
                  <p>{t('browse.nothingHint')}</p>
                  <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
                    {t('filter.clear')}
                  </button>
                </Empty>
              ) : (
                <>
                  <div className="cards">
                    {page.content.map((vehicle) => (
                      <VehicleCard key={vehicle.id} vehicle={vehicle} />
                    ))}
                  </div>
                  <Pager page={page.currentPage} size={page.pageSize} total={page.totalElements} go={go} />
                </>
              )
            }
          </Shown>
        </section>
      </div>
    </>
  );
}
