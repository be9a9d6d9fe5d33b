// What the pages read from the catalog. What belongs here: queries with their keys, nothing about how it is shown.
import { ApiError, items, type Page } from '@equipment-platform/client';
import {
  getOwnRating,
  getType,
  getVehicle,
  getVehicleFacets,
  listCategories,
  listGroups,
  listRateableOrders,
  listRatings,
  listTags,
  listTypes,
  listVehicles,
  searchVehicles,
  type Category,
  type Group,
  type GetVehicleFacetsData,
  type ListVehiclesData,
  type SearchFilters,
  type EquipmentType,
  type Vehicle,
  type VehicleFacets,
} from '@equipment-platform/client/catalog';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { catalog } from '../app/api';
import { isHidden, noted } from '../app/hidden';
import { type Caller, may } from '../app/session';

export const PAGE_SIZE = 24;
const FOR_MINUTES = { staleTime: 300_000 };
/** Lists that fill a control are read whole, up to this many; longer ones belong behind a search. */
const CONTROL_LIMIT = 1000;

async function all<T>(read: (page: number) => Promise<{ data: Page<T> }>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items(read)) {
    list.push(item);
    if (list.length === CONTROL_LIMIT) break;
  }
  return list;
}

export const typesQuery = queryOptions({
  queryKey: ['types', 'all'],
  queryFn: ({ signal }) => all<EquipmentType>((page) => listTypes({ client: catalog(), signal, query: { page, size: 100, sort: ['title,asc'] } })),
  ...FOR_MINUTES,
});

export const groupsQuery = queryOptions({
  queryKey: ['groups', 'all'],
  queryFn: ({ signal }) => all<Group>((page) => listGroups({ client: catalog(), signal, query: { page, size: 100, sort: ['name,asc'] } })),
  ...FOR_MINUTES,
});

export const categoriesQuery = queryOptions({
  queryKey: ['categories', 'all'],
  queryFn: ({ signal }) => all<Category>((page) => listCategories({ client: catalog(), signal, query: { page, size: 100, sort: ['name,asc'] } })),
  ...FOR_MINUTES,
});

export const tagsQuery = queryOptions({
  queryKey: ['tags', 'all'],
  queryFn: ({ signal }) => all((page) => listTags({ client: catalog(), signal, query: { page, size: 100, sort: ['name,asc'] } })),
  ...FOR_MINUTES,
});

export const typeQuery = (id: string) =>
  queryOptions({
    queryKey: ['types', id],
    queryFn: async ({ signal }) => (await getType({ client: catalog(), signal, path: { id } })).data,
    ...FOR_MINUTES,
  });

export const vehiclesQuery = (query: ListVehiclesData['query']) =>
  queryOptions({
    queryKey: ['vehicles', 'list', query],
    queryFn: async ({ signal }) => {
      const { data } = await listVehicles({ client: catalog(), signal, query });
      if (query?.view === 'own') data.content.forEach(noted);
      return data;
    },
    placeholderData: keepPreviousData,
  });

/** How many matches are asked for; the service gives no more. */
const MOST_MATCHES = 50;

/** Best first; without those that the service calls far off. */
export const searchQuery = (text: string, filters: SearchFilters, topK = MOST_MATCHES) =>
  queryOptions({
    queryKey: ['vehicles', 'search', text, filters, topK],
    queryFn: async ({ signal }) => {
      const { matches } = (await searchVehicles({ client: catalog(), signal, body: { query: text, topK, filters } })).data;
      return matches.filter(({ relevance }) => relevance !== 'low');
    },
    placeholderData: keepPreviousData,
  });

/** Of what everybody sees, unless another view is asked for; without a view a signed-in caller is answered the own machines. */
export const facetsQuery = (filters: GetVehicleFacetsData['query'] = {}, view: 'public' | 'own' | 'all' = 'public') => {
  const query = { ...(view !== 'all' && { view }), ...filters };
  return queryOptions({
    queryKey: ['vehicles', 'facets', query],
    queryFn: async ({ signal }) => (await getVehicleFacets({ client: catalog(), signal, query })).data,
    placeholderData: keepPreviousData,
  });
};

/** Titles of the types that something is offered of, by id: a third of what the types themselves weigh. */
export const titlesOf = ({ equipmentTypes }: Pick<VehicleFacets, 'equipmentTypes'>): Record<string, string> => Object.fromEntries(equipmentTypes.map(({ id, title }) => [id, title]));

/** They are read with the facets and not by a query of their own, whose retries would take the facets' failure from who looks at it. */
export const titlesQuery = { ...facetsQuery(), ...FOR_MINUTES };

/** The machine as those who may change it see it. */
export const ownVehicle = async (id: string, caller: Caller | undefined, signal?: AbortSignal): Promise<Vehicle> =>
  noted((await getVehicle({ client: catalog(), ...(signal && { signal }), path: { id }, query: may(caller, 'VEHICLE_STAFF_READ') ? {} : { view: 'own' } })).data);

/** Staff sees any vehicle; everybody else what is public, and besides it what is the caller's own. No view has both: what is known to be hidden is asked for as the caller's. */
export const vehicleQuery = (id: string, caller: Caller | undefined) =>
  queryOptions({
    queryKey: ['vehicles', id],
    queryFn: async ({ signal }): Promise<Vehicle> => {
      const read = async (view?: 'public' | 'own') => (await getVehicle({ client: catalog(), signal, path: { id }, query: { ...(view && { view }) } })).data;
      if (caller === undefined || may(caller, 'VEHICLE_STAFF_READ')) return read();
      const [first, second] = isHidden(id) ? (['own', 'public'] as const) : (['public', 'own'] as const);
      try {
        return noted(await read(first));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404 && may(caller, 'VEHICLE_WRITE')) return noted(await read(second));
        throw error;
      }
    },
  });

export const ratingsQuery = (vehicleId: string, page: number) =>
  queryOptions({
    queryKey: ['vehicles', vehicleId, 'ratings', page],
    queryFn: async ({ signal }) =>
      (await listRatings({ client: catalog(), signal, path: { vehicleId }, query: { page, size: 10, sort: ['createdAt,desc'] } })).data,
    placeholderData: keepPreviousData,
  });

/** How many ratings the distribution is counted from at most, newest first. */
export const DISTRIBUTION_LIMIT = 500;

export const distributionQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicles', vehicleId, 'distribution'],
    queryFn: async ({ signal }) => {
      const stars = [0, 0, 0, 0, 0];
      const authors: string[] = [];
      let counted = 0;
      const ratings = items((page) => listRatings({ client: catalog(), signal, path: { vehicleId }, query: { page, size: 100, sort: ['createdAt,desc'] } }));
      for await (const { score, authorUserId } of ratings) {
        authors.push(authorUserId);
        const star = Math.floor(score) - 1;
        stars[star] = (stars[star] ?? 0) + 1;
        if (++counted === DISTRIBUTION_LIMIT) break;
      }
      return { stars, counted, authors };
    },
  });

/** The caller's orders of a vehicle that a rating may be given for, newest first. */
export const rateableOrdersQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicles', vehicleId, 'ratings', 'orders'],
    queryFn: async ({ signal }) => (await listRateableOrders({ client: catalog(), signal, path: { vehicleId } })).data,
  });

/** Null when there is none. */
export const ownRatingQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicles', vehicleId, 'ratings', 'me'],
    queryFn: async ({ signal }) => {
      try {
        return (await getOwnRating({ client: catalog(), signal, path: { vehicleId } })).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
