// What holds for the schemas that stand in answers: open objects, open words. Walks each schema once, through its
// references, and names the first operation that answers with it.
import { reached } from './walk.js';

export default (document) => {
  const out = [];
  for (const { schema, path, where } of reached(document, ['responses'])) {
    if (schema.additionalProperties === false) {
      out.push({ message: `is a closed object in an answer of ${where}: a new field would break who reads it`, path });
    }
    if (schema.enum) {
      out.push({ message: `is a closed enumeration in an answer of ${where}: new words come, so x-extensible-enum`, path });
    }
  }
  return out;
};
