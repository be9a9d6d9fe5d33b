// The machines that are put beside each other, on every page, until they are compared or put back.
import { useQueries } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useCaller } from '../app/session';
import { clearCompared, toggle, useShelf } from '../app/shelf';
import { useT } from '../i18n';
import { Sign } from '../ui/icons';
import { vehicleQuery } from './data';

export default function CompareBar() {
  const t = useT();
  const caller = useCaller();
  const compared = useShelf('compared');
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const found = useQueries({ queries: compared.map((id) => vehicleQuery(id, caller)) });
  if (path === '/compare') return null;
  return (
    <aside className="compare-bar" aria-label={t('compare.title')}>
      <ul className="row">
        {compared.map((id, index) => {
          const vehicle = found[index]?.data;
          const name = vehicle === undefined ? '…' : `${vehicle.brandName} ${vehicle.modelName}`;
          return (
            <li key={id}>
              <button type="button" className="chip" aria-label={t('compare.remove', { name })} onClick={() => toggle('compared', id)}>
                <span className="clip">{name}</span>
                <Sign name="close" size={14} />
              </button>
            </li>
          );
        })}
      </ul>
      <div className="row">
        {compared.length > 1 ? (
          <Link to="/compare" search={{ id: [...compared] }} className="button primary small">
            {t('compare.go', { count: compared.length })}
          </Link>
        ) : (
          <span className="muted small">{t('compare.more')}</span>
        )}
        <button type="button" className="button small quiet" onClick={clearCompared}>
          {t('compare.clear')}
        </button>
      </div>
    </aside>
  );
}
