// The filters of the list of equipment.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { BrowseSearch } from '../app/places';
import { useT } from '../i18n';
import { Dialog } from '../ui/basics';
import { LateText, type Option, SelectField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { ListFailure } from '../ui/states';
import { categoriesQuery, groupsQuery, tagsQuery, typesQuery } from './data';

const WIDE = '(min-width: 60.01rem)';

interface Props {
  search: BrowseSearch;
  change: (next: BrowseSearch, replace?: boolean) => void;
}

/** Beside the list where there is room, else in a dialog that says how much passes. */
export function Filters({ found, ...props }: Props & { found: number | undefined }) {
  const t = useT();
  const wide = useWide();
  const [open, setOpen] = useState(false);
  const active = activeOf(props.search);
  if (wide) {
    return (
      <div className="filters">
        <FilterForm {...props} />
      </div>
    );
  }
  return (
    <div className="filters">
      <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(true)}>
        <Sign name="filter" size={18} />
        {active > 0 ? t('filter.titleActive', { count: active }) : t('filter.title')}
      </button>
      {open && (
        <Dialog title={t('filter.title')} onClose={() => setOpen(false)}>
          <FilterForm {...props} />
          <div className="form-actions sticky">
            <button type="button" className="button primary" onClick={() => setOpen(false)}>
              {found === undefined ? t('state.updating') : t('filter.show', { count: found })}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

const activeOf = (search: BrowseSearch): number => Object.entries(search).filter(([name, value]) => value !== undefined && name !== 'page' && name !== 'sort').length;

function FilterForm({ search, change }: Props) {
  const t = useT();
  return (
    <form className="stack" aria-label={t('filter.title')} onSubmit={(event) => event.preventDefault()}>
      <Kind search={search} change={change} />
      <LateText label={t('filter.brand')} value={search.brand ?? ''} commit={(brand) => change({ brand: brand || undefined }, true)} />
      <LateText label={t('filter.plate')} hint={t('filter.plateHint')} value={search.plate ?? ''} commit={(plate) => change({ plate: plate || undefined }, true)} mono />
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
      {activeOf(search) > 0 && (
        <Link to="/equipment" search={{ sort: search.sort }} className="button">
          {t('filter.clear')}
        </Link>
      )}
    </form>
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

/** Names in the reader's language, in its order. */
function useSorted(): (options: Option[]) => Option[] {
  const t = useT();
  return (options) => options.sort((a, b) => a.label.localeCompare(b.label, t.language));
}

function Kind({ search, change }: Props) {
  const t = useT();
  const sorted = useSorted();
  const groupList = useQuery(groupsQuery);
  const categoryList = useQuery(categoriesQuery);
  const typeList = useQuery(typesQuery);
  const [groups, categories, types] = [groupList.data ?? [], categoryList.data ?? [], typeList.data ?? []];
  const shown = search.category === undefined ? types : types.filter((type) => type.categoryIds.includes(search.category ?? ''));
  return (
    <>
      <ListFailure queries={[groupList, categoryList, typeList]} />
      <SelectField
        label={t('filter.category')}
        value={search.category ?? ''}
        none={t('filter.any')}
        options={groups.flatMap((group) =>
          sorted(categories.filter((category) => category.groupId === group.id).map((category) => ({ value: category.id, label: t.called(category.name), group: t.called(group.name) }))),
        )}
        onChange={(category) => change({ category: category || undefined, type: undefined })}
      />
      <SelectField
        label={t('filter.type')}
        value={search.type ?? ''}
        none={t('filter.any')}
        options={sorted(shown.map((type) => ({ value: type.id, label: t.called(type.title) })))}
        onChange={(type) => change({ type: type || undefined })}
      />
    </>
  );
}

function Tags({ search, change }: Props) {
  const t = useT();
  const sorted = useSorted();
  const query = useQuery(tagsQuery);
  const tags = sorted((query.data ?? []).map(({ id, name }) => ({ value: id, label: t.called(name) })));
  const chosen = search.tag ?? [];
  const toggle = (id: string, on: boolean) => {
    const next = on ? [...chosen, id] : chosen.filter((other) => other !== id);
    change({ tag: next.length === 0 ? undefined : next });
  };
  return (
    <fieldset className="field">
      <legend>{t('filter.tags')}</legend>
      <ListFailure queries={[query]} />
      <div className="tag-list" tabIndex={0} role="group" aria-label={t('filter.tags')} style={{ height: '13rem' }}>
        {tags.map(({ value, label }) => (
          <label key={value} className="check">
            <input type="checkbox" checked={chosen.includes(value)} onChange={(event) => toggle(value, event.target.checked)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
