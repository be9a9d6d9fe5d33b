// The file service's client. What belongs here: the generated client with credentials and typed errors.

import { createClient, createConfig, type Client } from '../../../gen/typescript/files/client/index.js';
import { type Connection, resolve } from './connection.js';
import { errorOf } from './error.js';

export type FilesClient = Client;

/** A client to pass to the functions of `@equipment-platform/client/files`. */
export function createFilesClient({ baseUrl, token, fetch }: Connection): FilesClient {
  const client = createClient(createConfig({ baseUrl, throwOnError: true, auth: () => resolve(token), ...(fetch && { fetch }) }));
  client.interceptors.error.use(errorOf);
  return client;
}
