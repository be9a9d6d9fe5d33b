// The hand-written layer over the generated clients: credentials, errors, paging, locking.

export { createCatalogClient, type CatalogClient } from './catalogClient.js';
export type { Connection, TokenProvider } from './connection.js';
export { ApiError, VersionConflict, type KnownErrorCode } from './error.js';
export { createFilesClient, type FilesClient } from './filesClient.js';
export { createGatewayClient, type GatewayClient, type GatewayConnection } from './gatewayClient.js';
export { ifMatch, updateLatest } from './locking.js';
export { items, pages, type Page } from './paging.js';
