// The start: what has to be done, in words; what there is; what others were content with.
import type { CategoryFacet } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useShelf } from '../app/shelf';
import { useT } from '../i18n';
import { Skeleton, useTitle } from '../ui/basics';
import { machineOf, MachineDrawing } from '../ui/machines';
import { ListFailure, Shown } from '../ui/states';
import { WhenNear } from '../ui/WhenNear';
import { facetsQuery, groupsQuery, vehiclesQuery } from './data';
import { SeenRow } from './Rows';
import { CardSkeletons, VehicleCard } from './VehicleCard';
import { WordBox } from './WordBox';

const EXAMPLES = ['search.example1', 'search.example2', 'search.example3', 'search.example4', 'search.example5', 'search.example6'] as const;

export function StartPage() {
  const t = useT();
  useTitle('');
  return (
    <div className="stack wide">
      <section className="hero">
        <h1 tabIndex={-1}>{t('search.title')}</h1>
        <p>{t('search.lead')}</p>
        <WordBox />
        <ul className="row" aria-label={t('search.examples')}>
          {EXAMPLES.map((key) => (
            <li key={key}>
              <Link to="/equipment" search={{ q: t(key) }} className="chip">
                {t(key)}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <Categories />
      <WellRated />
      <Seen />
    </div>
  );
}

function Categories() {
  const t = useT();
  const query = useQuery(facetsQuery());
  const groupList = useQuery(groupsQuery);
  const groups = groupList.data ?? [];
  return (
    <section className="stack" aria-labelledby="categories">
      <div className="row spread">
        <h2 id="categories">{t('start.categories')}</h2>
        <Link to="/equipment">{query.data === undefined ? t('search.browseAll') : t('start.all', { count: query.data.totalElements })}</Link>
      </div>
      <ListFailure queries={[groupList]} />
      <Shown query={query} skeleton={<Skeleton height="49rem" />}>
        {({ categories, equipmentTypes }) => groupList.isPending ? <Skeleton height="49rem" /> : (
          <div className="groups">
            {groups.map((group) => {
              const own = categories.filter(({ groupId }) => groupId === group.id);
              return own.length === 0 ? null : <Group key={group.id} name={t.called(group.name)} categories={own} titles={equipmentTypes.map(({ title }) => title)} />;
            })}
          </div>
        )}
      </Shown>
    </section>
  );
}

const SHOWN = 5;

function Group({ name, categories, titles }: { name: string; categories: readonly CategoryFacet[]; titles: readonly string[] }) {
  const t = useT();
  const largest = categories[0]?.name ?? '';
  // Categories are plurals of what types are called.
  const machine = machineOf(largest) === 'neutral' ? machineOf(titles.find((title) => largest.toLowerCase().includes(title.toLowerCase()))) : machineOf(largest);
  return (
    <section className="group panel" aria-label={name}>
      <h3>
        <MachineDrawing machine={machine} size={44} />
        {name}
      </h3>
      <ul>
        {categories.slice(0, SHOWN).map(({ id, name, count }) => (
          <li key={id}>
            <Link to="/equipment" search={{ category: id }}>
              {t.called(name)}
            </Link>
            <span className="muted small">{t.number(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** So many ratings of such an average make a machine well rated. */
const WELL = { minRatingAvg: 4.5, minRatingCount: 3 };

function WellRated() {
  const t = useT();
  return (
    <section className="stack" aria-labelledby="well-rated">
      <div className="row spread">
        <h2 id="well-rated">{t('start.wellRated')}</h2>
        <Link to="/equipment" search={{ rating: WELL.minRatingAvg, reviews: WELL.minRatingCount }}>
          {t('start.allRated')}
        </Link>
      </div>
      <WhenNear>
        <WellRatedCards />
      </WhenNear>
    </section>
  );
}

function WellRatedCards() {
  const query = useQuery(vehiclesQuery({ view: 'public', page: 1, size: 4, sort: ['updatedAt,desc'], ...WELL }));
  return (
    <Shown query={query} skeleton={<CardSkeletons count={4} />}>
      {({ content }) => (
        <div className="cards">
          {content.map((vehicle) => (
            <VehicleCard key={vehicle.id} vehicle={vehicle} heading={3} />
          ))}
        </div>
      )}
    </Shown>
  );
}

function Seen() {
  const seen = useShelf('seen');
  return seen.length === 0 ? null : <SeenRow />;
}
