// What a reader has put aside in this browser.
import { Link } from '@tanstack/react-router';
import { parseSearch } from '../app/address';
import type { BrowseSearch } from '../app/places';
import { dropSearch, useShelf } from '../app/shelf';
import { useT } from '../i18n';
import { Empty, PageHead } from '../ui/basics';
import { SeenRow, useVehicles } from './Rows';
import { CardSkeletons, VehicleCard } from './VehicleCard';

export function SavedPage() {
  const t = useT();
  const favourites = useShelf('favourites');
  const { vehicles, pending } = useVehicles(favourites);
  return (
    <>
      <PageHead title={t('nav.saved')} lead={t('saved.lead')} />
      <div className="stack wide">
        <section className="stack" aria-labelledby="favourites">
          <h2 id="favourites">{t('saved.favourites')}</h2>
          {favourites.length === 0 ? (
            <Empty title={t('saved.noFavourites')} sign="heart">
              <p>{t('saved.noFavouritesHint')}</p>
              <Link to="/equipment" className="button">
                {t('nav.browse')}
              </Link>
            </Empty>
          ) : pending && vehicles.length === 0 ? (
            <CardSkeletons count={Math.min(8, favourites.length)} />
          ) : (
            <div className="cards">
              {vehicles.map((vehicle) => (
                <VehicleCard key={vehicle.id} vehicle={vehicle} heading={3} />
              ))}
            </div>
          )}
        </section>
        <Searches />
        <SeenRow />
      </div>
    </>
  );
}

function Searches() {
  const t = useT();
  const searches = useShelf('searches');
  if (searches.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="searches">
      <h2 id="searches">{t('saved.searches')}</h2>
      <ul className="ordered">
        {searches.map(({ name, query }) => (
          <li key={query}>
            {/* the address is read anew, as if it had been typed */}
            <Link to="/equipment" search={parseSearch(query) as BrowseSearch}>
              {name}
            </Link>
            <button type="button" className="button small quiet" aria-label={t('files.remove', { file: name })} onClick={() => dropSearch(query)}>
              {t('action.remove')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
