// What the addresses of the app can say: lists, orders, filters. Pages and router share it.

export const VEHICLE_SORTS = ['createdAt,desc', 'brandName,asc', 'brandName,desc', 'releaseYear,desc', 'releaseYear,asc', 'updatedAt,desc'] as const;
export type VehicleSort = (typeof VEHICLE_SORTS)[number];

export interface BrowseSearch {
  /** What is looked for, in words. */
  q?: string | undefined;
  page?: number | undefined;
  sort?: VehicleSort | undefined;
  type?: string | undefined;
  category?: string | undefined;
  tag?: string[] | undefined;
  brand?: string | undefined;
  plate?: string | undefined;
  rating?: number | undefined;
  reviews?: number | undefined;
  owner?: string | undefined;
  /** Years of release, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** Conditions on parameters, as the catalogue reads them. */
  param?: string[] | undefined;
}

export interface MineSearch {
  page?: number | undefined;
  sort?: VehicleSort | undefined;
  brand?: string | undefined;
  type?: string | undefined;
  plate?: string | undefined;
}

export interface AllVehiclesSearch {
  page?: number | undefined;
  sort?: string | undefined;
  brand?: string | undefined;
  type?: string | undefined;
  owner?: string | undefined;
  plate?: string | undefined;
}

export const RESOURCES = ['groups', 'categories', 'types', 'params', 'units', 'tags'] as const;
export type Resource = (typeof RESOURCES)[number];

export const DOCUMENT_LISTS = ['inbound', 'toSign', 'outbound', 'awaited'] as const;
export type DocumentListName = (typeof DOCUMENT_LISTS)[number];

export interface DocumentsSearch {
  list?: DocumentListName | undefined;
  partner?: string | undefined;
  number?: string | undefined;
  /** Dates of the documents, YYYY-MM-DD. */
  from?: string | undefined;
  to?: string | undefined;
}
