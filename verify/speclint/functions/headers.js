// The headers that the edge puts on answers are declared where they are true and of use: a caller that was let in and
// had its answer, or came too often, reads what it has left. On refusals of the caller itself (401, 403) there is no
// such number, and on each other error three headers more would be a third of what generators write.
const BY_STATUS = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] };
const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

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
        const success = status.startsWith('2');
        const limited = success || status === '429';
        const wanted = ['X-Request-Id', ...(limited ? RATE : []), ...(BY_STATUS[status] ?? []), ...(operation.deprecated && success ? ['Deprecation'] : [])];
        const missing = wanted.filter((name) => !declared.includes(name));
        if (missing.length > 0) out.push({ message: `${status} does not declare ${missing.join(', ')}`, path: [...path, 'responses', status] });
        if (!limited && RATE.some((name) => declared.includes(name))) {
          out.push({ message: `${status} declares what only 2xx and 429 are known to carry`, path: [...path, 'responses', status] });
        }
      }
    }
  }
  return out;
};
