// The canonical form of a license plate, by the catalogue's rule, so that an owner sees it while typing.

/** The longest canonical plate, in characters. */
export const PLATE_LENGTH = 32;

// Every space of Unicode, as the service counts them, and the separators.
const REMOVED = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\-_./]/gu;
// Letters with their marks, and digits.
const VALID = /^(?:\p{L}\p{M}*|\p{Nd})*$/u;

export interface CanonicalPlate {
  text: string;
  problem: 'invalid' | 'long' | undefined;
}

export function canonicalPlate(typed: string): CanonicalPlate {
  let text = typed.replace(REMOVED, '');
  // Upper-casing may take apart or join what has another upper case then: again until nothing changes.
  for (let next = fold(text); next !== text; next = fold(text)) text = next;
  const problem = !VALID.test(text) ? 'invalid' : [...text].length > PLATE_LENGTH ? 'long' : undefined;
  return { text, problem };
}

function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().normalize('NFC');
}
