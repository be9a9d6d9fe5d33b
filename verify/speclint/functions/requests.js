// What holds for the schemas that stand in JSON bodies of requests: no unknown field passes unseen.
import { reached } from './walk.js';

export default (document) => {
  const out = [];
  for (const { schema, path, where } of reached(document, ['requestBody', 'content', 'application/json'])) {
    const freeForm = schema.type === 'object' && !schema.properties;
    if (schema.type === 'object' && !freeForm && schema.additionalProperties !== false) {
      out.push({ message: `is an open object in a request of ${where}: a misspelt field would be lost`, path });
    }
  }
  return out;
};
