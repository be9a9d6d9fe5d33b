// From what the address says to what the catalogue is asked, and back.
import type { GetVehicleFacetsData, ListVehiclesData, SearchFilters } from '@equipment-platform/client/catalog';
import type { BrowseSearch } from '../app/places';

type Query = NonNullable<ListVehiclesData['query']> & NonNullable<GetVehicleFacetsData['query']>;

/** The filters of the list and of its facets. */
export function filtersOf(search: BrowseSearch): Omit<Query, 'page' | 'size' | 'sort'> {
  return {
    ...(search.type !== undefined && { equipmentTypeId: search.type }),
    ...(search.category !== undefined && { categoryId: search.category }),
    ...(search.tag !== undefined && { searchTagId: search.tag }),
    ...(search.brand !== undefined && { brandName: search.brand }),
    ...(search.plate !== undefined && { licensePlate: search.plate }),
    ...(search.rating !== undefined && { minRatingAvg: search.rating }),
    ...(search.reviews !== undefined && { minRatingCount: search.reviews }),
    ...(search.owner !== undefined && { ownerUserId: search.owner }),
    ...(search.from !== undefined && { releaseYearFrom: search.from }),
    ...(search.to !== undefined && { releaseYearTo: search.to }),
    ...(search.param !== undefined && { param: search.param }),
  };
}

/** Those that the search in words takes. */
export function wordFiltersOf(search: BrowseSearch): SearchFilters {
  return {
    ...(search.type !== undefined && { equipmentTypeId: search.type }),
    ...(search.category !== undefined && { categoryId: search.category }),
    ...(search.tag?.[0] !== undefined && { searchTagId: search.tag[0] }),
    ...(search.brand !== undefined && { brandName: search.brand }),
    ...(search.owner !== undefined && { ownerUserId: search.owner }),
  };
}

/** Filters that words leave out of account. */
const WITHOUT_WORDS = ['plate', 'rating', 'reviews', 'from', 'to', 'param'] as const;

export const ignoredWithWords = (search: BrowseSearch): boolean =>
  search.q !== undefined && (WITHOUT_WORDS.some((name) => search[name] !== undefined) || (search.tag?.length ?? 0) > 1);

export const withoutIgnored = (search: BrowseSearch): BrowseSearch => ({
  ...search,
  ...Object.fromEntries(WITHOUT_WORDS.map((name) => [name, undefined])),
  tag: search.tag?.slice(0, 1),
});

export type Bound = 'eq' | 'gte' | 'lte';

/** The condition on a parameter, where there is one: `<id>,<op>,<value>`. */
export function boundOf(search: BrowseSearch, paramId: string, op: Bound): string {
  return search.param?.find((one) => one.startsWith(`${paramId},${op},`))?.slice(paramId.length + op.length + 2) ?? '';
}

export function withBound(search: BrowseSearch, paramId: string, op: Bound, value: string): string[] | undefined {
  const others = (search.param ?? []).filter((one) => !one.startsWith(`${paramId},${op},`));
  const next = value === '' ? others : [...others, `${paramId},${op},${value}`];
  return next.length === 0 ? undefined : next;
}
