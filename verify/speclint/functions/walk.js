// The schemas that a part of the operations reaches, each once, with its place in the document.
function target(document, ref) {
  const path = ref.slice('#/'.length).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path, node: path.reduce((node, step) => node?.[step], document) };
}

/** part takes an operation and gives the path below it that counts. */
export function* reached(document, part) {
  const seen = new Set();
  for (const [route, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (!operation?.responses) continue;
      const start = ['paths', route, method, ...part];
      const queue = [{ node: part.reduce((node, step) => node?.[step], operation), path: start }];
      while (queue.length > 0) {
        const { node, path } = queue.pop();
        if (node === null || typeof node !== 'object' || seen.has(node)) continue;
        seen.add(node);
        if (typeof node.$ref === 'string') {
          queue.push(target(document, node.$ref));
          continue;
        }
        if (!Array.isArray(node)) yield { schema: node, path, where: operation.operationId };
        for (const [name, child] of Object.entries(node)) {
          if (!['example', 'examples', 'enum'].includes(name) && !name.startsWith('x-')) queue.push({ node: child, path: [...path, name] });
        }
      }
    }
  }
}
