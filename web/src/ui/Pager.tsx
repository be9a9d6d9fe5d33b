// Turning pages.
import { useT } from '../i18n';
import { Empty } from './basics';

interface Props {
  page: number;
  size: number;
  total: number;
  go: (page: number) => void;
}

export function Pager({ page, size, total, go }: Props) {
  const t = useT();
  const last = Math.max(1, Math.ceil(total / size));
  if (total <= size && page === 1) return null;
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <button type="button" className="button" disabled={page <= 1} onClick={() => go(Math.min(page - 1, last))}>
        {t('pager.previous')}
      </button>
      <span className="muted">{t('pager.position', { page, last })}</span>
      <button type="button" className="button" disabled={page >= last} onClick={() => go(page + 1)}>
        {t('pager.next')}
      </button>
    </nav>
  );
}

/** An address may name a page that is not there (any more). */
export function PastTheEnd({ page, size, total, go }: Props) {
  const t = useT();
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <Empty title={t('pager.past', { page })}>
      <p>{t('pager.pastHint', { count: last })}</p>
      <button type="button" className="button" onClick={() => go(last)}>
        {t('pager.toLast')}
      </button>
    </Empty>
  );
}
