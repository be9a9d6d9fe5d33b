// Walking through paged lists. What belongs here: iterators over PagedResponse.

/** What every list of the catalog answers. */
export interface Page<T> {
  content: T[];
  currentPage: number;
  pageSize: number;
  totalElements: number;
}

/**
 * All pages of a list, read as they are asked for:
 * `pages((page) => listVehicles({ client, query: { page, size: 100 } }))`.
 */
export async function* pages<T>(read: (page: number) => Promise<{ data: Page<T> }>): AsyncGenerator<Page<T>, void, undefined> {
  for (let number = 1; ; number++) {
    const { data } = await read(number);
    yield data;
    if (data.content.length === 0 || data.currentPage * data.pageSize >= data.totalElements) return;
  }
}

/** All elements of a list, page after page. */
export async function* items<T>(read: (page: number) => Promise<{ data: Page<T> }>): AsyncGenerator<T, void, undefined> {
  for await (const page of pages(read)) yield* page.content;
}
