// A value of several types is a choice of scalars: generators make types that do not compile of anything else.
const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

export default (schema) => {
  if (schema.anyOf) return [{ message: 'anyOf: use oneOf, of scalars' }];
  const other = (schema.oneOf ?? []).filter((choice) => !SCALARS.has(choice.type));
  return other.length > 0 ? [{ message: 'oneOf holds something else than a string, a number or a boolean' }] : [];
};
