// 64-bit numbers without loss. What belongs here: the way of a bigint into a request and out of an answer.
// JSON.parse and JSON.stringify know no bigint; the generated types and transformers of the gateway do.

const LONG = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** A fetch whose JSON answers have integers beyond 2^53 as texts, of which the generated transformers make bigints. */
export function losslessly(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (!response.ok || response.body === null || !/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get('Content-Type') ?? '')) return response;
    const text = await response.text();
    const quoted = text.replace(LONG, (token) => (token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`));
    const copy = new Response(quoted, response);
    Object.defineProperty(copy, 'url', { value: response.url });
    return copy;
  };
}

/** A body as JSON, bigints as the numbers that they are. */
export function serialize(body: unknown): string {
  const mark = crypto.randomUUID();
  const json = JSON.stringify(body, (_key, value: unknown) => (typeof value === 'bigint' ? `${mark}${value}` : value));
  return json.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
