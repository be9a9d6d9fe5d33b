// The catalog's client. What belongs here: the generated client with credentials and typed errors.

import { createClient, createConfig, type Client } from '../../../gen/typescript/catalog/client/index.js';
import { type Connection, fetchOf, resolve, takingNotModified } from './connection.js';
import { errorOf } from './error.js';

export type CatalogClient = Client;

/** A client to pass to the functions of `@equipment-platform/client/catalog`. */
export function createCatalogClient(connection: Connection): CatalogClient {
  const { baseUrl, token } = connection;
  const client = createClient(createConfig({ baseUrl, throwOnError: true, auth: () => resolve(token), fetch: takingNotModified(fetchOf(connection)) }));
  client.interceptors.error.use(errorOf);
  return client;
}
