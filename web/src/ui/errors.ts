// What a failed call means to the reader. What belongs here: errors of the API becoming texts at their fields.
import { ApiError, VersionConflict } from '@equipment-platform/client';
import type { Translator } from '../i18n';

export interface FormErrors {
  /** Texts by field name, as the API names fields: `params[2].value`. */
  fields: Record<string, string>;
  /** What concerns no field that the form shows. */
  form: string | undefined;
  /** Somebody else changed the record meanwhile. */
  conflict: boolean;
  /** The sign-in is over. */
  unauthorized: boolean;
}

export const NO_ERRORS: FormErrors = { fields: {}, form: undefined, conflict: false, unauthorized: false };

/** One line for a failure as a whole. */
export function describe(error: unknown, t: Translator): string {
  if (!(error instanceof ApiError)) return t(navigator.onLine ? 'error.network' : 'error.offline');
  const known = t.maybe(`error.${error.code}`);
  const text = known ?? error.message;
  return error.status >= 500 && error.requestId !== undefined ? `${text} ${t('error.requestId', { id: error.requestId })}` : text;
}

/**
 * Sorts a failure into the fields of a form. `fields` are the names that the form shows: a detail of
 * `tags[3]` goes to `tags[3]` when the form shows that, else to `tags`. `blame` names the field for
 * codes that come without details, such as `duplicate`.
 */
export function formErrors(error: unknown, t: Translator, fields: readonly string[], blame: Record<string, string> = {}): FormErrors {
  if (error === undefined || error === null) return NO_ERRORS;
  if (error instanceof VersionConflict) return { fields: {}, form: undefined, conflict: true, unauthorized: false };
  if (!(error instanceof ApiError)) return { fields: {}, form: describe(error, t), conflict: false, unauthorized: false };
  if (error.status === 401) return { fields: {}, form: undefined, conflict: false, unauthorized: true };
  const result: FormErrors = { fields: {}, form: undefined, conflict: false, unauthorized: false };
  const rest: string[] = [];
  for (const [name, message] of Object.entries(error.details)) {
    const field = owner(name, fields);
    const text = detail(error.code, message, t);
    if (field === undefined) rest.push(`${name}: ${text}`);
    else result.fields[field] ??= text;
  }
  const blamed = blame[error.code];
  if (blamed !== undefined && Object.keys(result.fields).length === 0) result.fields[blamed] = t.maybe(`error.${error.code}`) ?? error.message;
  else if (rest.length > 0) result.form = rest.join('; ');
  else if (Object.keys(result.fields).length === 0) result.form = describe(error, t);
  return result;
}

function owner(name: string, fields: readonly string[]): string | undefined {
  for (let prefix = name; prefix !== ''; prefix = prefix.replace(/(\.[^.[]*|\[[^\]]*\]|^[^.[]*)$/, '')) {
    if (fields.includes(prefix)) return prefix;
  }
  return undefined;
}

/** By the code where it says enough, else by the service's phrase, else the phrase itself. */
function detail(code: string, message: string, t: Translator): string {
  const words = message.match(/^[a-z ]+/)?.[0].trim().replaceAll(' ', '_') ?? '';
  const value = message.match(/-?\d+(\.\d+)?/)?.[0] ?? '';
  const byCode = t.maybe(`field.${code}`) ?? (code === 'validation_failed' ? undefined : t.maybe(`error.${code}`));
  return byCode ?? t.maybe(`detail.${words}`, { value }) ?? message;
}
