// The file service's calls, for the pages that need more of it than addresses of pictures.
import { createFilesClient, type FilesClient } from '@equipment-platform/client';
import { describeFiles, type StoredFile } from '@equipment-platform/client/files';
import { queryOptions } from '@tanstack/react-query';
import { hasFiles } from './files';
import { currentCaller } from './session';
import { settings } from './settings';

let client: FilesClient | undefined;

export function fileService(): FilesClient {
  client ??= createFilesClient({ baseUrl: settings().filesUrl ?? '', token: () => currentCaller()?.token });
  return client;
}

/** What files are, by id; none of those that are not there. */
export const describedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['files', ...ids],
    queryFn: async ({ signal }): Promise<Record<string, StoredFile>> => {
      const { data } = await describeFiles({ client: fileService(), signal, query: { id: [...ids] } });
      return Object.fromEntries(data.map((file) => [file.id, file]));
    },
    enabled: hasFiles() && ids.length > 0,
    staleTime: 60_000,
  });
