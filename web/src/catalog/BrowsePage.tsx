// Finding: words, filters, order and page stand in the address, so that a list can be sent to somebody.
import type { Vehicle } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type BrowseSearch, VEHICLE_SORTS } from '../app/places';
import { useT } from '../i18n';
import { Empty, Notice, PageHead } from '../ui/basics';
import { PastTheEnd, Pager } from '../ui/Pager';
import { ListFailure, Shown } from '../ui/states';
import { Chips, useChips } from './Chips';
import { filtersOf, ignoredWithWords, withoutIgnored, wordFiltersOf } from './criteria';
import { facetsQuery, PAGE_SIZE, searchQuery, vehiclesQuery } from './data';
import { Filters } from './Filters';
import { ListTools } from './ListTools';
import { SortChoice } from './SortChoice';
import { useGradually } from '../ui/gradually';
import { CardSkeletons, VehicleCard } from './VehicleCard';
import { LONGEST, WordBox } from './WordBox';

const route = getRouteApi('/equipment');

export function BrowsePage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // What is typed step by step is one step back.
  const change = (next: BrowseSearch, replace = false) => void navigate({ search: { ...search, page: undefined, ...next }, resetScroll: false, replace });
  const words = search.q !== undefined;
  const facets = useQuery(facetsQuery(filtersOf(words ? withoutIgnored(search) : search)));
  const chips = useChips(search, facets.data);
  const name = [search.q, ...chips.map(({ text }) => text)].filter(Boolean).join(', ') || t('browse.everything');
  const clear = () => void navigate({ search: { q: search.q, sort: search.sort } });
  const parts = { search, change, clear, name };
  return (
    <>
      <PageHead title={search.q?.slice(0, 80) ?? t('browse.title')} lead={words ? undefined : t('browse.lead')} />
      <div className="browse">
        <div className="stack words">
          <WordBox q={search.q} keep={search} />
          {words && (
            <div>
              <button type="button" className="button small quiet" onClick={() => change({ q: undefined })}>
                {t('search.withoutWords')}
              </button>
            </div>
          )}
        </div>
        <Filters search={search} facets={facets.data} change={change} found={words || facets.isPlaceholderData ? undefined : facets.data?.totalElements} active={chips.length} />
        <section className="results" id="results" tabIndex={-1} aria-label={t('search.results')}>
          <ListFailure queries={[facets]} />
          <Chips chips={chips} change={change} clear={clear} />
          {ignoredWithWords(search) && (
            <Notice
              action={
                <button type="button" className="button small" onClick={() => change(withoutIgnored(search))}>
                  {t('search.dropIgnored')}
                </button>
              }
            >
              {t('search.ignored')}
            </Notice>
          )}
          {search.q === undefined ? (
            <Listed {...parts} />
          ) : search.q.length > LONGEST ? (
            <Notice kind="warn">{t('search.tooLong', { most: LONGEST, length: search.q.length })}</Notice>
          ) : (
            <Matched {...parts} q={search.q} />
          )}
        </section>
      </div>
    </>
  );
}

interface PartProps {
  search: BrowseSearch;
  change: (next: BrowseSearch) => void;
  clear: () => void;
  /** What the search is called when it is kept. */
  name: string;
}

function Listed({ search, change, clear, name }: PartProps) {
  const t = useT();
  const navigate = route.useNavigate();
  const sort = search.sort ?? VEHICLE_SORTS[0];
  const go = (next: number) => void navigate({ search: { ...search, page: next === 1 ? undefined : next } });
  const query = useQuery(vehiclesQuery({ view: 'public', page: search.page ?? 1, size: PAGE_SIZE, sort: [sort], ...filtersOf(search) }));
  const found = query.isPlaceholderData ? t('state.updating') : query.data === undefined ? '\u00a0' : t('browse.found', { count: query.data.totalElements });
  return (
    <>
      <Head found={found}>
        <ListTools search={search} name={name} />
        <SortChoice value={sort} change={(sort) => change({ sort })} />
      </Head>
      <Shown query={query} skeleton={<CardSkeletons count={9} />}>
        {({ content, currentPage, pageSize, totalElements }) =>
          content.length === 0 && totalElements > 0 ? (
            <PastTheEnd page={currentPage} size={pageSize} total={totalElements} go={go} />
          ) : content.length === 0 ? (
            <Empty title={t('browse.nothing')}>
              <p>{t('browse.nothingHint')}</p>
              <button type="button" className="button" onClick={clear}>
                {t('filter.clear')}
              </button>
            </Empty>
          ) : (
            <>
              <Cards vehicles={content} busy={query.isPlaceholderData} />
              <Pager page={currentPage} size={pageSize} total={totalElements} go={go} />
            </>
          )
        }
      </Shown>
    </>
  );
}

function Matched({ search, q, name }: PartProps & { q: string }) {
  const t = useT();
  const query = useQuery(searchQuery(q, wordFiltersOf(search)));
  const found = query.isPlaceholderData ? t('state.updating') : query.data === undefined ? '\u00a0' : query.data.length === 0 ? '' : t('search.found', { count: query.data.length });
  return (
    <>
      <Head found={found}>{(query.data?.length ?? 0) > 0 && <ListTools search={search} name={name} matches={query.data?.map(({ vehicle }) => vehicle)} />}</Head>
      <Shown query={query} skeleton={<CardSkeletons count={9} />}>
        {(matches) =>
          matches.length === 0 ? (
            <Empty title={t('search.nothing')}>
              <p>{t('search.nothingHint')}</p>
            </Empty>
          ) : (
            <Cards
              vehicles={matches.map(({ vehicle }) => vehicle)}
              busy={query.isPlaceholderData}
              badge={(index) => matches[index]?.relevance === 'high' && <span className="badge accent">{t('search.high')}</span>}
            />
          )
        }
      </Shown>
    </>
  );
}

function Head({ found, children }: { found: string; children: ReactNode }) {
  return (
    <div className="row spread">
      <p className="muted" role="status">
        {found}
      </p>
      <div className="row">{children}</div>
    </div>
  );
}

function Cards({ vehicles, busy, badge }: { vehicles: readonly Vehicle[]; busy: boolean; badge?: (index: number) => ReactNode }) {
  const drawn = useGradually(vehicles.length, 3);
  return (
    <div className="cards" aria-busy={busy}>
      {vehicles.map((vehicle, index) =>
        index < drawn ? <VehicleCard key={vehicle.id} vehicle={vehicle} eager={index === 0} badge={badge?.(index)} /> : <div key={vehicle.id} className="card skeleton" />,
      )}
    </div>
  );
}
