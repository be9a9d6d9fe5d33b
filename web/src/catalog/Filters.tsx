// The filters of the list of equipment: what there is to choose from, with how much of it there is.
import type { VehicleFacets } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { BrowseSearch } from '../app/places';
import { useT } from '../i18n';
import { Dialog } from '../ui/basics';
import { LateText, type Option, SelectField } from '../ui/fields';
import { Sign } from '../ui/icons';
import { filtersOf } from './criteria';
import { facetsQuery, groupsQuery } from './data';
import { ParamFilters } from './ParamFilters';

const WIDE = '(min-width: 60.01rem)';

export interface FilterProps {
  search: BrowseSearch;
  facets: VehicleFacets | undefined;
  change: (next: BrowseSearch, replace?: boolean) => void;
}

/** Beside the list where there is room, else in a dialog that says how much passes. */
export function Filters({ found, active, ...props }: FilterProps & { found: number | undefined; active: number }) {
  const t = useT();
  const wide = useWide();
  const [open, setOpen] = useState(false);
  if (wide) {
    return (
      <div className="filters">
        <a className="skip-to" href="#results">
          {t('filter.skip')}
        </a>
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

function FilterForm(props: FilterProps) {
  const t = useT();
  const { search, change } = props;
  // With words only what the search in words takes.
  const words = search.q !== undefined;
  return (
    <form className="stack" aria-label={t('filter.title')} onSubmit={(event) => event.preventDefault()}>
      <Kind {...props} />
      {search.type !== undefined && !words && <ParamFilters {...props} />}
      <Brand {...props} />
      {!words && (
        <>
          <Years {...props} />
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
        </>
      )}
      <Tags {...props} />
      {!words && (
        <LateText label={t('filter.plate')} hint={t('filter.plateHint')} value={search.plate ?? ''} commit={(plate) => change({ plate: plate || undefined }, true)} mono />
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

/** A name with how many there are. Facets do not know of words: with them nothing is counted. */
function useCounted(search: BrowseSearch): (name: string, count: number) => string {
  const t = useT();
  return (name, count) => (search.q === undefined ? t('filter.counted', { name: t.called(name), count }) : t.called(name));
}

function Kind({ search, facets, change }: FilterProps) {
  const t = useT();
  const counted = useCounted(search);
  const groups = useQuery(groupsQuery).data ?? [];
  const byName = (a: Option, b: Option) => a.label.localeCompare(b.label, t.language);
  const groupOf = (id: string) => t.called(groups.find((group) => group.id === id)?.name ?? '');
  const categories = (facets?.categories ?? []).map(({ id, groupId, name, count }): Option => ({ value: id, label: counted(name, count), group: groupOf(groupId) }));
  const types = (facets?.equipmentTypes ?? []).map(({ id, title, count }): Option => ({ value: id, label: counted(title, count) }));
  return (
    <>
      <SelectField
        label={t('filter.category')}
        value={search.category ?? ''}
        none={t('filter.any')}
        options={withChosen(categories, search.category).sort((a, b) => (a.group ?? '').localeCompare(b.group ?? '', t.language) || byName(a, b))}
        onChange={(category) => change({ category: category || undefined, type: undefined, param: undefined })}
      />
      <SelectField
        label={t('filter.type')}
        value={search.type ?? ''}
        none={t('filter.any')}
        options={withChosen(types, search.type).sort(byName)}
        onChange={(type) => change({ type: type || undefined, param: undefined })}
      />
    </>
  );
}

/** What is chosen stays in the list, also where nothing passes. */
function withChosen(options: Option[], chosen: string | undefined): Option[] {
  return chosen === undefined || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: '…' }];
}

const SHOWN_BRANDS = 6;

/** Brands by how much there is of each; typing narrows them down. */
function Brand({ search, change }: FilterProps) {
  const t = useT();
  const [prefix, setPrefix] = useState('');
  const query = useQuery(facetsQuery({ ...filtersOf(search), ...(prefix !== '' && { brandPrefix: prefix }) }));
  const brands = query.data?.brands ?? [];
  const shown = brands.slice(0, SHOWN_BRANDS);
  const chosen = search.brand;
  if (chosen !== undefined && !shown.some(({ name }) => name === chosen)) shown.unshift({ name: chosen, count: brands.find(({ name }) => name === chosen)?.count ?? 0 });
  return (
    <fieldset className="field">
      <legend>{t('filter.brand')}</legend>
      <LateText label={t('filter.findBrand')} placeholder={t('filter.findBrand')} value={prefix} commit={setPrefix} hiddenLabel />
      <ul className="options" aria-label={t('filter.brand')}>
        {shown.map(({ name, count }) => (
          <li key={name}>
            <Choice on={name === chosen} toggle={(on) => change({ brand: on ? name : undefined })} count={search.q === undefined ? count : undefined}>
              {name}
            </Choice>
          </li>
        ))}
      </ul>
      {query.isSuccess && brands.length === 0 && <p className="muted small">{t('filter.noBrand')}</p>}
    </fieldset>
  );
}

function Choice({ on, toggle, count, children }: { on: boolean; toggle: (on: boolean) => void; count: number | undefined; children: ReactNode }) {
  const t = useT();
  return (
    <label className="check">
      <input type="checkbox" checked={on} onChange={(event) => toggle(event.target.checked)} />
      <span className="clip">{children}</span>
      {count !== undefined && <span className="muted small">{t.number(count)}</span>}
    </label>
  );
}

function Years({ search, facets, change }: FilterProps) {
  const t = useT();
  const { min, max } = facets?.releaseYears ?? {};
  const year = (text: string): number | undefined => (/^(19|20)\d\d$|^2100$/.test(text) ? Number(text) : undefined);
  return (
    <fieldset className="field">
      <legend>{t('vehicle.year')}</legend>
      <div className="pair">
        <LateText label={t('filter.from')} value={search.from?.toString() ?? ''} commit={(text) => change({ from: year(text) }, true)} placeholder={min?.toString()} inputMode="numeric" />
        <LateText label={t('filter.to')} value={search.to?.toString() ?? ''} commit={(text) => change({ to: year(text) }, true)} placeholder={max?.toString()} inputMode="numeric" />
      </div>
    </fieldset>
  );
}

const SHOWN_TAGS = 8;

function Tags({ search, facets, change }: FilterProps) {
  const t = useT();
  const [all, setAll] = useState(false);
  const words = search.q !== undefined;
  const chosen = search.tag ?? [];
  const tags = facets?.searchTags ?? [];
  const shown = tags.filter(({ id }, index) => all || index < SHOWN_TAGS || chosen.includes(id));
  const toggle = (id: string, on: boolean) => {
    // The search in words takes one.
    const next = on ? (words ? [id] : [...chosen, id]) : chosen.filter((other) => other !== id);
    change({ tag: next.length === 0 ? undefined : next });
  };
  if (tags.length === 0) return null;
  return (
    <fieldset className="field">
      <legend>{t(words ? 'filter.tag' : 'filter.tags')}</legend>
      <ul className="options">
        {shown.map(({ id, name, count }) => (
          <li key={id}>
            <Choice on={chosen.includes(id)} toggle={(on) => toggle(id, on)} count={words ? undefined : count}>
              {t.called(name)}
            </Choice>
          </li>
        ))}
      </ul>
      {tags.length > SHOWN_TAGS && (
        <div>
          <button type="button" className="button small quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('filter.fewer') : t('filter.more', { count: tags.length - SHOWN_TAGS })}
          </button>
        </div>
      )}
    </fieldset>
  );
}
