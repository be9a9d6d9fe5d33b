// The gateway's client. What belongs here: the generated client with the caller's and the partners' credentials
// and typed errors.

import { createClient, createConfig, type Client } from '../../../gen/typescript/gateway/client/index.js';
import { type Connection, fetchOf, resolve, type TokenProvider } from './connection.js';
import { errorOf } from './error.js';
import { losslessly, serialize } from './wholeNumbers.js';

export type GatewayClient = Client;

export interface GatewayConnection extends Connection {
  /** The exchange provider's access token, sent as `X-Partner-Access-Token`. */
  partnerToken?: TokenProvider;
  /** The key of logistics, waybills and transport, sent as `x-partner-apikey`. */
  partnerApiKey?: TokenProvider;
}

/** A client to pass to the functions of `@equipment-platform/client/gateway`. */
export function createGatewayClient(connection: GatewayConnection): GatewayClient {
  const { baseUrl, token, partnerToken, partnerApiKey } = connection;
  const client = createClient(
    createConfig({
      baseUrl,
      throwOnError: true,
      bodySerializer: serialize,
      fetch: losslessly(fetchOf(connection)),
      auth: ({ type, name }) => resolve(type === 'http' ? token : name === 'x-partner-apikey' ? partnerApiKey : partnerToken),
    }),
  );
  client.interceptors.error.use(errorOf);
  return client;
}
