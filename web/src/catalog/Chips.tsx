// What narrows the list down, one by one to be taken away.
import type { VehicleFacets } from '@equipment-platform/client/catalog';
import { useQuery } from '@tanstack/react-query';
import { useNames } from '../app/people';
import type { BrowseSearch } from '../app/places';
import { useT } from '../i18n';
import { Sign } from '../ui/icons';
import { categoriesQuery, tagsQuery, titlesOf, titlesQuery } from './data';

interface Chip {
  key: string;
  text: string;
  without: BrowseSearch;
}

/** The chips of a search; their names come from the facets, or from the whole lists where nothing passes. */
export function useChips(search: BrowseSearch, facets: VehicleFacets | undefined): Chip[] {
  const t = useT();
  const titles = useQuery({ ...titlesQuery, select: titlesOf, enabled: search.type !== undefined }).data ?? {};
  const nameOf = useNames([search.owner]);
  const category = facets?.categories.find(({ id }) => id === search.category)?.name;
  const categories = useQuery({ ...categoriesQuery, enabled: search.category !== undefined && facets !== undefined && category === undefined }).data ?? [];
  const known = facets?.searchTags ?? [];
  const tags = useQuery({ ...tagsQuery, enabled: facets !== undefined && (search.tag ?? []).some((id) => !known.some((tag) => tag.id === id)) }).data ?? [];
  const chips: Chip[] = [];
  const add = (key: string, text: string, without: BrowseSearch) => chips.push({ key, text, without });
  const pair = (name: string, value: string) => t('filter.pair', { name, value });
  if (search.category !== undefined) {
    const name = category ?? categories.find(({ id }) => id === search.category)?.name;
    add('category', t.called(name ?? '…'), { category: undefined });
  }
  if (search.type !== undefined) add('type', t.called(titles[search.type] ?? '…'), { type: undefined, param: undefined });
  if (search.brand !== undefined) add('brand', search.brand, { brand: undefined });
  if (search.owner !== undefined) add('owner', pair(t('vehicle.owner'), nameOf(search.owner)), { owner: undefined });
  if (search.from !== undefined) add('from', pair(t('vehicle.year'), t('filter.atLeastText', { value: String(search.from) })), { from: undefined });
  if (search.to !== undefined) add('to', pair(t('vehicle.year'), t('filter.atMostText', { value: String(search.to) })), { to: undefined });
  if (search.rating !== undefined) add('rating', pair(t('filter.rating'), t('filter.atLeast', { value: search.rating })), { rating: undefined });
  if (search.reviews !== undefined) add('reviews', pair(t('filter.reviews'), t('filter.atLeast', { value: search.reviews })), { reviews: undefined });
  if (search.plate !== undefined) add('plate', pair(t('vehicle.plate'), search.plate), { plate: undefined });
  for (const id of search.tag ?? []) {
    const name = [...known, ...tags].find((tag) => tag.id === id)?.name;
    const rest = (search.tag ?? []).filter((other) => other !== id);
    add(`tag/${id}`, t.called(name ?? '…'), { tag: rest.length === 0 ? undefined : rest });
  }
  for (const one of search.param ?? []) {
    const [id = '', op = '', ...rest] = one.split(',');
    const param = facets?.params.find(({ paramId }) => paramId === id);
    const value = rest.join(',');
    const shown = value === 'true' ? t('value.yes') : value === 'false' ? t('value.no') : `${t.called(value)}${param?.unit === undefined ? '' : ` ${t.unit(param.unit.code)}`}`;
    const text = op === 'gte' ? t('filter.atLeastText', { value: shown }) : op === 'lte' ? t('filter.atMostText', { value: shown }) : shown;
    const others = (search.param ?? []).filter((other) => other !== one);
    add(one, pair(t.called(param?.name ?? '…'), text), { param: others.length === 0 ? undefined : others });
  }
  return chips;
}

export function Chips({ chips, change, clear }: { chips: readonly Chip[]; change: (next: BrowseSearch) => void; clear: () => void }) {
  const t = useT();
  if (chips.length === 0) return null;
  return (
    <ul className="row" aria-label={t('filter.active')}>
      {chips.map(({ key, text, without }) => (
        <li key={key}>
          <button type="button" className="chip" aria-label={t('filter.remove', { name: text })} onClick={() => change(without)}>
            <span className="clip">{text}</span>
            <Sign name="close" size={14} />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="button small quiet" onClick={clear}>
          {t('filter.clear')}
        </button>
      </li>
    </ul>
  );
}
