// Names that generated code cannot have twice: what generators call their own types of an operation, and parameters
// that differ in letter case alone.
const SUFFIXES = ['Response', 'Params', 'JSONBody', 'JSONRequestBody', 'Result200', 'Error'];

const flat = (name) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

export default (document) => {
  const out = [];
  const schemas = new Map(Object.keys(document.components?.schemas ?? {}).map((name) => [flat(name), name]));
  for (const [route, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (!operation?.operationId) continue;
      for (const suffix of SUFFIXES) {
        const name = schemas.get(flat(operation.operationId + suffix));
        if (name) out.push({ message: `${name} is what oapi-codegen calls a type of ${operation.operationId}`, path: ['components', 'schemas', name] });
      }
      const parameters = new Map();
      for (const [index, parameter] of (operation.parameters ?? []).entries()) {
        if (!parameter.name) continue;
        const key = `${parameter.in} ${parameter.name.toLowerCase()}`;
        if (parameters.has(key) && !(parameter['x-go-name'] && parameter['x-ogen-name'])) {
          out.push({ message: `${parameter.name} differs from ${parameters.get(key)} in letter case alone: x-go-name and x-ogen-name tell them apart`, path: ['paths', route, method, 'parameters', index] });
        }
        parameters.set(key, parameter.name);
      }
    }
  }
  return out;
};
