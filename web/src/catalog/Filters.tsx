// The filters of the list of equipment.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { BrowseSearch } from '../app/places';
import { useT } from '../i18n';
import { SelectField, TextField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { categoriesQuery, groupsQuery, tagsQuery, typesQuery } from './data';

const WIDE = '(min-width: 60.01rem)';

export function Filters({ search, change }: { search: BrowseSearch; change: (next: BrowseSearch) => void }) {
  const t = useT();
  const wide = useWide();
  const active = Object.entries(search).filter(([name, value]) => value !== undefined && name !== 'page' && name !== 'sort').length;
  const [open, setOpen] = useState(false);
  return (
    <details className="filters" open={wide || open} onToggle={(event) => !wide && setOpen(event.currentTarget.open)}>
      <summary className="button">
        <Sign name="filter" size={18} />
        {active > 0 ? t('filter.titleActive', { count: active }) : t('filter.title')}
      </summary>
      <form className="stack" aria-label={t('filter.title')} onSubmit={(event) => event.preventDefault()}>
        <Kind search={search} change={change} />
        <LateText label={t('filter.brand')} value={search.brand ?? ''} commit={(brand) => change({ brand: brand || undefined })} />
        <LateText label={t('filter.plate')} hint={t('filter.plateHint')} value={search.plate ?? ''} commit={(plate) => change({ plate: plate || undefined })} mono />
        <SelectField
          label={t('filter.rating')}
          value={search.rating === undefined ? '' : String(search.rating)}
          none={t('filter.any')}
          options={['3', '3.5', '4', '4.5'].map((value) => ({ value, label: t('filter.atLeast', { value: Number(value) }) }))}
          onChange={(value) => change({ rating: value === '' ? undefined : Number(value) })}
        />
        <SelectField
          label={t('filter.reviews')}
          value={search.reviews === undefined ? '' : String(search.reviews)}
          none={t('filter.any')}
          options={['1', '3', '5'].map((value) => ({ value, label: t('filter.atLeast', { value: Number(value) }) }))}
          onChange={(value) => change({ reviews: value === '' ? undefined : Number(value) })}
        />
        <Tags search={search} change={change} />
        {active > 0 && (
          <Link to="/equipment" search={{ sort: search.sort }} className="button">
            {t('filter.clear')}
          </Link>
        )}
      </form>
    </details>
  );
}

function useWide(): boolean {
  const [wide, setWide] = useState(() => window.matchMedia(WIDE).matches);
  useEffect(() => {
    const media = window.matchMedia(WIDE);
    const listen = () => setWide(media.matches);
    media.addEventListener('change', listen);
    return () => media.removeEventListener('change', listen);
  }, []);
  return wide;
}

function Kind({ search, change }: { search: BrowseSearch; change: (next: BrowseSearch) => void }) {
  const t = useT();
  const groups = useQuery(groupsQuery).data ?? [];
  const categories = useQuery(categoriesQuery).data ?? [];
  const types = useQuery(typesQuery).data ?? [];
  const shown = search.category === undefined ? types : types.filter((type) => type.categoryIds.includes(search.category ?? ''));
  return (
    <>
      <SelectField
        label={t('filter.category')}
        value={search.category ?? ''}
        none={t('filter.any')}
        options={groups.flatMap((group) =>
          categories.filter((category) => category.groupId === group.id).map((category) => ({ value: category.id, label: category.name, group: group.name })),
        )}
        onChange={(category) => change({ category: category || undefined, type: undefined })}
      />
      <SelectField
        label={t('filter.type')}
        value={search.type ?? ''}
        none={t('filter.any')}
        options={shown.map((type) => ({ value: type.id, label: type.title }))}
        onChange={(type) => change({ type: type || undefined })}
      />
    </>
  );
}

function Tags({ search, change }: { search: BrowseSearch; change: (next: BrowseSearch) => void }) {
  const t = useT();
  const tags = useQuery(tagsQuery).data ?? [];
  const chosen = search.tag ?? [];
  const toggle = (id: string, on: boolean) => {
    const next = on ? [...chosen, id] : chosen.filter((other) => other !== id);
    change({ tag: next.length === 0 ? undefined : next });
  };
  return (
    <fieldset className="field">
      <legend>{t('filter.tags')}</legend>
      <div className="tag-list" tabIndex={0} role="group" aria-label={t('filter.tags')} style={{ height: '13rem' }}>
        {tags.map((tag) => (
          <label key={tag.id} className="check">
            <input type="checkbox" checked={chosen.includes(tag.id)} onChange={(event) => toggle(tag.id, event.target.checked)} />
            {tag.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A text that counts when the reader pauses or leaves the field. */
function LateText({ label, hint, value, commit, mono }: { label: string; hint?: string; value: string; commit: (value: string) => void; mono?: boolean }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => commit(text.trim()), 500);
    return () => clearTimeout(timer);
  });
  return <TextField label={label} hint={hint} value={text} onChange={setText} type="search" {...(mono && { mono })} />;
}
