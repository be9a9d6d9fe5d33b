// An enumeration has a type, and words of that type alone; provider's numbers stand beside it, not in it.
export default (schema) => {
  const words = schema.enum ?? schema['x-extensible-enum'];
  if (!schema.type) return [{ message: 'an enumeration without a type is several things to generators' }];
  if (schema.type !== 'string' || words.some((word) => typeof word !== 'string')) {
    return [{ message: 'an enumeration is of words: no numbers, and no mixture' }];
  }
  return new Set(words.map((word) => word.toLowerCase())).size < words.length ? [{ message: 'words that differ in letter case alone' }] : [];
};
