// Failures as error classes. What belongs here: turning the body of an error answer into something to catch.

import type { ApiErrorDto as CatalogErrorDto } from '../../../gen/typescript/catalog/types.gen.js';
import type { ApiErrorDto as GatewayErrorDto } from '../../../gen/typescript/gateway/types.gen.js';

/** The words that either service answers today; new ones may come, so treat an unknown one by its status. */
export type KnownErrorCode = CatalogErrorDto['code'] | GatewayErrorDto['code'];

/** An answer with an error status. `code` is meant for programs, `details` names fields. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** `unknown` when something between the caller and the service answered in its own words. */
  readonly code: KnownErrorCode | 'unknown' | (string & {});
  /** Field name, dotted and indexed such as `params[2].value`, to message; empty when no field is to blame. */
  readonly details: Readonly<Record<string, string>>;
  readonly path: string;
  readonly timestamp: string | undefined;
  /** To be quoted when asking the operators: their log line has it. */
  readonly requestId: string | undefined;
  /** Seconds to wait before another try, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: unknown) {
    const dto = isErrorDto(body) ? body : undefined;
    super(dto?.message ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = dto?.code ?? 'unknown';
    this.details = dto?.details ?? {};
    this.path = dto?.path ?? pathOf(response.url);
    this.timestamp = dto?.timestamp;
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
    const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

/** 409 `version_conflict`: somebody changed the record since it was read. Nothing was written. */
export class VersionConflict extends ApiError {
  override readonly name = 'VersionConflict';
}

/** The error of an answer. A failure without an answer (no network, aborted) stays what it is. */
export function errorOf(error: unknown, response: Response | undefined): unknown {
  if (response === undefined || response.ok) return error;
  const apiError = new ApiError(response, error);
  return apiError.status === 409 && apiError.code === 'version_conflict' ? new VersionConflict(response, error) : apiError;
}

function isErrorDto(body: unknown): body is CatalogErrorDto {
  if (typeof body !== 'object' || body === null) return false;
  const dto = body as Partial<CatalogErrorDto>;
  return typeof dto.message === 'string' && typeof dto.code === 'string';
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}
