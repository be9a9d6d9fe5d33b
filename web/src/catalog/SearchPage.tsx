// Search in one's own words.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useT } from '../i18n';
import { Empty, Notice, useTitle } from '../ui/basics';
import { Sign } from '../ui/icons';
import { Shown } from '../ui/states';
import { searchQuery } from './data';
import { CardSkeletons, VehicleCard } from './VehicleCard';

const route = getRouteApi('/');
/** The service takes no more. */
const LONGEST = 1000;
const EXAMPLES = ['search.example1', 'search.example2', 'search.example3', 'search.example4', 'search.example5', 'search.example6'] as const;

export function SearchPage() {
  const t = useT();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(q ?? '');
  useEffect(() => setText(q ?? ''), [q]);
  useTitle(q?.slice(0, 80) ?? '');
  return (
    <>
      <section className="hero">
        <h1 tabIndex={-1}>{t('search.title')}</h1>
        <p>{t('search.lead')}</p>
        <form
          role="search"
          className="search-box"
          onSubmit={(event) => {
            event.preventDefault();
            void navigate({ search: { q: text.trim() || undefined } });
          }}
        >
          <input
            type="search"
            aria-label={t('search.label')}
            placeholder={t('search.placeholder')}
            value={text}
            maxLength={LONGEST}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="button primary">
            <Sign name="search" size={18} />
            {t('search.button')}
          </button>
        </form>
        <ul className="row" aria-label={t('search.examples')}>
          {EXAMPLES.map((key) => (
            <li key={key}>
              <Link to="/" search={{ q: t(key) }} className="chip">
                {t(key)}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {q === undefined ? <Invitation /> : q.length > LONGEST ? <Notice kind="warn">{t('search.tooLong', { most: LONGEST, length: q.length })}</Notice> : <Matches text={q} />}
    </>
  );
}

function Invitation() {
  const t = useT();
  return (
    <p className="muted">
      {t('search.or')} <Link to="/equipment">{t('search.browseAll')}</Link>
    </p>
  );
}

function Matches({ text }: { text: string }) {
  const t = useT();
  const query = useQuery(searchQuery(text));
  return (
    <section className="results" aria-label={t('search.results')}>
      <Shown query={query} skeleton={<CardSkeletons />}>
        {(matches) =>
          matches.length === 0 ? (
            <Empty title={t('search.nothing')}>
              <p>{t('search.nothingHint')}</p>
            </Empty>
          ) : (
            <>
              <p className="muted" role="status">
                {t('search.found', { count: matches.length })}
              </p>
              <div className="cards">
                {matches.map(({ vehicle, score }) => (
                  <VehicleCard
                    key={vehicle.id}
                    vehicle={vehicle}
                    badge={<span className="badge accent">{t('search.score', { percent: Math.max(0, Math.round(score * 100)) })}</span>}
                  />
                ))}
              </div>
            </>
          )
        }
      </Shown>
    </section>
  );
}
