// The first answers of the pages that people come to first, asked for while the app itself is still on its way. The
// client takes them up by their address; a story holds that each is asked for once.
import { fileUrl, SIZES, srcSetOf } from './files';
import { settings } from './settings';
import { kept, TOKEN_KEY } from './storage';

const answers = new Map<string, Promise<Response>>();

interface First {
  /** Of the catalog, as the generated client writes them. */
  paths: string[];
  /** The picture that is seen first, of the first answer. */
  picture?: { of: (answer: unknown) => string | undefined; sizes: string };
}

interface Pictured {
  photoFileIds: string[];
}

const FACETS = '/api/v1/vehicles/facets?view=public';

function first({ pathname, search }: Location): First | undefined {
  if (search !== '') return undefined;
  if (pathname === '/') return { paths: [FACETS, '/api/v1/groups?page=1&size=100&sort=name%2Casc'] };
  if (pathname === '/equipment') {
    return {
      paths: ['/api/v1/vehicles?view=public&page=1&size=24&sort=createdAt%2Cdesc', FACETS],
      picture: { of: (answer) => (answer as { content: Pictured[] }).content[0]?.photoFileIds[0], sizes: SIZES.card },
    };
  }
  const id = /^\/equipment\/([0-9a-f-]{36})$/.exec(pathname)?.[1];
  return id === undefined ? undefined : { paths: [`/api/v1/vehicles/${id}`, FACETS], picture: { of: (answer) => (answer as Pictured).photoFileIds[0], sizes: SIZES.gallery } };
}

/** Once the settings are there. Who is signed in asks with a token and in other views: not here. */
export function askEarly(place: Location): void {
  const { catalogUrl, filesUrl } = settings();
  if (filesUrl !== undefined) hint({ rel: 'preconnect', href: new URL(filesUrl, place.href).origin });
  if (kept.read(TOKEN_KEY) !== null) return;
  const asked = first(place);
  // what nobody has taken up by then would be an old answer to a new question
  setTimeout(() => answers.clear(), 15_000);
  asked?.paths.forEach((path, index) => {
    const answer = fetch(catalogUrl + path);
    answers.set(new URL(catalogUrl + path, place.href).href, answer);
    answer
      .then(async (response) => {
        const picture = index === 0 && response.ok && filesUrl !== undefined ? asked.picture?.of(await response.clone().json()) : undefined;
        if (picture === undefined) return;
        hint({ rel: 'preload', as: 'image', fetchPriority: 'high', href: fileUrl(picture, 480), imageSrcset: srcSetOf(picture), imageSizes: asked.picture?.sizes ?? '' });
      })
      // whoever takes it up says what is wrong
      .catch(() => undefined);
  });
}

function hint(what: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), what));
}

/** A fetch that takes up an answer that was asked for early, each once. */
export const takingEarly: typeof fetch = (input, init) => {
  const request = input instanceof Request ? input : new Request(input, init);
  const early = answers.get(request.url);
  answers.delete(request.url);
  return early !== undefined && request.method === 'GET' && !request.headers.has('Authorization') ? early : fetch(input, init);
};
