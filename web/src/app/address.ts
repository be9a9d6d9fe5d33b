// The address bar: plain query strings, and reading what somebody may have typed into them.

type Raw = Record<string, string | string[]>;

/** `?a=1&b=2&b=3` as `{a: '1', b: ['2', '3']}`. */
export function parseSearch(text: string): Raw {
  const raw: Raw = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = raw[name];
    raw[name] = before === undefined ? value : [before, value].flat();
  }
  return raw;
}

/** The other way round; what is empty is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Values of an address, each undefined when it is not what it should be. */
export const from = {
  text: (value: unknown, most = Infinity): string | undefined => (typeof value === 'string' && value.trim() !== '' && value.length <= most ? value : undefined),
  uuid: (value: unknown): string | undefined => (typeof value === 'string' && isUuid(value) ? value : undefined),
  uuids: (value: unknown): string[] | undefined => {
    const list = [value].flat().filter((one): one is string => typeof one === 'string' && isUuid(one));
    return list.length === 0 ? undefined : list;
  },
  /** Those of a list that look right, at most so many. */
  texts: (value: unknown, pattern: RegExp, most: number): string[] | undefined => {
    const list = [value].flat().filter((one): one is string => typeof one === 'string' && pattern.test(one));
    return list.length === 0 ? undefined : list.slice(0, most);
  },
  whole: (value: unknown, least: number, most: number): number | undefined => {
    const number = Number(value);
    return value !== undefined && value !== '' && Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  },
  number: (value: unknown, least: number, most: number): number | undefined => {
    const number = Number(value);
    return value !== undefined && value !== '' && number >= least && number <= most ? number : undefined;
  },
  date: (value: unknown): string | undefined => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined),
  oneOf: <T extends string>(value: unknown, list: readonly T[]): T | undefined => list.find((one) => one === value),
};
