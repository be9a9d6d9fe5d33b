// The catalog's client. What belongs here: the generated client with credentials and typed errors.

import { createClient, createConfig, type Client } from '../../../gen/typescript/catalog/client/index.js';
import { type Connection, resolve } from './connection.js';
import { errorOf } from './error.js';

export type CatalogClient = Client;

/** A client to pass to the functions of `@equipment-platform/client/catalog`. */
export function createCatalogClient({ baseUrl, token, fetch }: Connection): CatalogClient {
  const client = createClient(createConfig({ baseUrl, throwOnError: true, auth: () => resolve(token), ...(fetch && { fetch }) }));
  client.interceptors.error.use(errorOf);
  return client;
}
