// Where one says in one's own words what has to be done.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { BrowseSearch } from '../app/places';
import { useT } from '../i18n';
import { Sign } from '../ui/icons';

/** The service takes no more. */
export const LONGEST = 1000;

export function WordBox({ q, keep = {} }: { q?: string | undefined; keep?: BrowseSearch }) {
  const t = useT();
  const navigate = useNavigate();
  const [text, setText] = useState(q ?? '');
  useEffect(() => setText(q ?? ''), [q]);
  return (
    <form
      role="search"
      className="search-box"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ to: '/equipment', search: { ...keep, page: undefined, q: text.trim() || undefined } });
      }}
    >
      <input type="search" aria-label={t('search.label')} placeholder={t('search.placeholder')} value={text} maxLength={LONGEST} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="button primary">
        <Sign name="search" size={18} />
        <span>{t('search.button')}</span>
      </button>
    </form>
  );
}
