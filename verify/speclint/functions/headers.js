// The headers that the edge puts on answers are declared on all of them.
const ALWAYS = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const BY_STATUS = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] };

export default (document) => {
  const out = [];
  const resolve = (node, kind) => (node?.$ref ? document.components?.[kind]?.[node.$ref.split('/').pop()] : node);
  for (const [route, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (!operation?.responses) continue;
      const path = ['paths', route, method];
      const sent = (operation.parameters ?? []).map((parameter) => resolve(parameter, 'parameters')?.name);
      if (!sent.includes('X-Request-Id')) out.push({ message: 'takes no X-Request-Id', path });
      for (const [status, response] of Object.entries(operation.responses)) {
        const declared = Object.keys(resolve(response, 'responses')?.headers ?? {});
        const wanted = [...ALWAYS, ...(BY_STATUS[status] ?? []), ...(operation.deprecated ? ['Deprecation'] : [])];
        const missing = wanted.filter((name) => !declared.includes(name));
        if (missing.length > 0) out.push({ message: `${status} does not declare ${missing.join(', ')}`, path: [...path, 'responses', status] });
      }
    }
  }
  return out;
};
