// Errors of the API becoming texts at the fields of a form.
import { ApiError, VersionConflict } from '@equipment-platform/client';
import { describe as group, expect, test } from 'vitest';
import { createTranslator } from '../i18n';
import { en } from '../i18n/en';
import { ru } from '../i18n/ru';
import { describe, formErrors, NO_ERRORS } from './errors';

const t = createTranslator('en', en);

function failure(status: number, code: string, details: Record<string, string> | null = null, Kind: typeof ApiError = ApiError): ApiError {
  const response = new Response(null, { status, headers: { 'X-Request-Id': 'R1' } });
  return new Kind(response, { status, code, message: 'Server words.', details, path: '/x', timestamp: '2026-01-01T00:00:00Z' });
}

group('formErrors', () => {
  test('of no error are none', () => {
    expect(formErrors(null, t, [])).toBe(NO_ERRORS);
  });

  test('stand at their fields, in the reader’s language', () => {
    const error = failure(400, 'validation_failed', { brandName: 'is required', releaseYear: 'must be at least 1900' });
    expect(formErrors(error, t, ['brandName', 'releaseYear']).fields).toEqual({ brandName: 'This is required.', releaseYear: 'At least 1900.' });
    expect(formErrors(error, createTranslator('ru', ru), ['brandName', 'releaseYear']).fields).toEqual({ brandName: 'Обязательное поле.', releaseYear: 'Не меньше 1900.' });
  });

  test('keep the service’s words where there are no others', () => {
    expect(formErrors(failure(400, 'validation_failed', { name: 'sounds odd' }), t, ['name']).fields).toEqual({ name: 'sounds odd' });
  });

  test('of an element go to the element, else to its list', () => {
    const error = failure(422, 'duplicate_file', { 'photoFileIds[1]': 'is there twice' });
    expect(formErrors(error, t, ['photoFileIds']).fields).toEqual({ photoFileIds: 'This file is there twice.' });
    const value = failure(422, 'param_value_invalid', { 'params[2].value': 'must be a number' });
    expect(formErrors(value, t, ['params', 'params[2]']).fields).toEqual({ 'params[2]': 'This is not a number.' });
    expect(formErrors(value, t, ['params', 'params[1]']).fields).toEqual({ params: 'This is not a number.' });
  });

  test('about no field of the form are said for the form', () => {
    const result = formErrors(failure(400, 'validation_failed', { elsewhere: 'is required' }), t, ['name']);
    expect(result).toEqual({ fields: {}, form: 'elsewhere: This is required.', conflict: false, unauthorized: false });
  });

  test('without details may be blamed on a field by their code', () => {
    expect(formErrors(failure(409, 'duplicate'), t, ['code'], { duplicate: 'code' })).toEqual({ fields: { code: 'This is taken already.' }, form: undefined, conflict: false, unauthorized: false });
  });

  test('a version conflict is none of the fields’', () => {
    expect(formErrors(failure(409, 'version_conflict', null, VersionConflict), t, ['name'])).toEqual({ fields: {}, form: undefined, conflict: true, unauthorized: false });
  });
});

test('a sign-in that is over is none of the fields’ either', () => {
  expect(formErrors(failure(401, 'unauthorized'), t, ['name'])).toEqual({ fields: {}, form: undefined, conflict: false, unauthorized: true });
});

group('describe', () => {
  test('an unknown code keeps the service’s words', () => {
    expect(describe(failure(422, 'brand_new_word'), t)).toBe('Server words.');
  });

  test('a fault of the service names the request', () => {
    expect(describe(failure(500, 'internal_error'), t)).toContain('R1');
  });

  test('no answer is about the connection', () => {
    expect(describe(new TypeError('Failed to fetch'), t)).toContain('cannot be reached');
  });
});
