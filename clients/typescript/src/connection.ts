// What a connection to either service needs. What belongs here: settings and how credentials are found.

/** A token, or where to get one for each request; without one the call is anonymous. */
export type TokenProvider = string | (() => string | undefined | Promise<string | undefined>);

export interface Connection {
  /** Where the service is, such as `https://catalog.example.com`; `/api/v1` is not part of it. */
  baseUrl: string;
  /** The bearer token of the caller. */
  token?: TokenProvider;
  /** Another `fetch`, for example with retries or tracing. */
  fetch?: typeof fetch;
}

export function resolve(provider: TokenProvider | undefined): Promise<string | undefined> {
  return Promise.resolve(typeof provider === 'function' ? provider() : provider);
}

/** The connection's fetch; the global one is looked up for each call, since tracing may replace it. */
export const fetchOf = ({ fetch }: Connection): typeof globalThis.fetch => fetch ?? ((input, init) => globalThis.fetch(input, init));

/** A fetch for which 304, asked for with `If-None-Match`, is an answer and no error: its data is null. */
export function takingNotModified(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    return response.status === 304 ? Object.defineProperty(response, 'ok', { value: true }) : response;
  };
}
