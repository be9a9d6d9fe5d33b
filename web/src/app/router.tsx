// Which address shows which page. Pages are loaded when they are first visited.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { from, isUuid, parseSearch, stringifySearch } from './address';
import { type AllVehiclesSearch, type BrowseSearch, DOCUMENT_LISTS, type DocumentsSearch, type MineSearch, VEHICLE_SORTS } from './places';
import { MOST_COMPARED } from './shelf';
import { NotFoundPage, PageNotLoaded, RouteFailure } from './failures';
import { Shell } from './shell';

type Search = Record<string, unknown>;
const LAST_PAGE = 2_147_483_647;
/** A condition on a parameter. */
const PARAM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12},(any|(eq|gte|lte),.+)$/i;
const page = (search: Search) => from.whole(search['page'], 1, LAST_PAGE);

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage, errorComponent: RouteFailure });

/** A page of its own chunk. One that cannot be loaded is the error page's business, which asks before it reloads. */
const lazy: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new PageNotLoaded(error);
      }),
    name,
  );

/** The page of one record; other words than an id lead nowhere. */
const record = {
  beforeLoad: ({ params }: { params: { id: string } }) => {
    if (!isUuid(params.id)) throw notFound();
  },
  notFoundComponent: NotFoundPage,
};

const search = createRoute({
  getParentRoute: () => root,
  path: '/',
  // Links of before the search had one page with the filters.
  beforeLoad: ({ search }: { search: Search }) => {
    const q = from.text(search['q']);
    if (q !== undefined) throw redirect({ to: '/equipment', search: { q }, replace: true });
  },
  component: lazy(() => import('../catalog/StartPage'), 'StartPage'),
});

const browse = createRoute({
  getParentRoute: () => root,
  path: '/equipment',
  validateSearch: (search: Search): BrowseSearch => ({
    q: from.text(search['q']),
    page: page(search),
    sort: from.oneOf(search['sort'], VEHICLE_SORTS),
    type: from.uuid(search['type']),
    category: from.uuid(search['category']),
    tag: from.uuids(search['tag']),
    brand: from.text(search['brand'], 255),
    plate: from.text(search['plate'], 255),
    rating: from.number(search['rating'], 0, 5),
    reviews: from.whole(search['reviews'], 0, LAST_PAGE),
    owner: from.text(search['owner'], 255),
    from: from.whole(search['from'], 1900, 2100),
    to: from.whole(search['to'], 1900, 2100),
    param: from.texts(search['param'], PARAM, 10),
  }),
  component: lazy(() => import('../catalog/BrowsePage'), 'BrowsePage'),
});
const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: (search: Search): { id?: string[] | undefined } => ({ id: from.uuids(search['id'])?.slice(0, MOST_COMPARED) }),
  component: lazy(() => import('../catalog/ComparePage'), 'ComparePage'),
});
const saved = createRoute({ getParentRoute: () => root, path: '/saved', component: lazy(() => import('../catalog/SavedPage'), 'SavedPage') });

const vehicle = createRoute({
  getParentRoute: () => root,
  path: '/equipment/$id',
  ...record,
  validateSearch: (search: Search): { order?: string | undefined } => ({ order: from.uuid(search['order']) }),
  component: lazy(() => import('../catalog/VehiclePage'), 'VehiclePage'),
});

const mine = createRoute({
  getParentRoute: () => root,
  path: '/mine',
  validateSearch: (search: Search): MineSearch => ({
    page: page(search),
    sort: from.oneOf(search['sort'], VEHICLE_SORTS),
    brand: from.text(search['brand'], 255),
    type: from.uuid(search['type']),
    plate: from.text(search['plate'], 255),
  }),
  component: lazy(() => import('../owner/MinePage'), 'MinePage'),
});
const create = createRoute({
  getParentRoute: () => root,
  path: '/mine/new',
  validateSearch: (search: Search): { copy?: string | undefined } => ({ copy: from.uuid(search['copy']) }),
  component: lazy(() => import('../owner/VehicleFormPage'), 'NewVehiclePage'),
});
const edit = createRoute({ getParentRoute: () => root, path: '/mine/$id', ...record, component: lazy(() => import('../owner/VehicleFormPage'), 'EditVehiclePage') });
const files = createRoute({ getParentRoute: () => root, path: '/mine/$id/files', ...record, component: lazy(() => import('../owner/FilesPage'), 'FilesPage') });

const manage = createRoute({
  getParentRoute: () => root,
  path: '/manage',
  beforeLoad: () => {
    throw redirect({ to: '/manage/$resource', params: { resource: 'types' } });
  },
});
const resource = createRoute({
  getParentRoute: () => root,
  path: '/manage/$resource',
  validateSearch: (search: Search): { page?: number | undefined; sort?: string | undefined; find?: string | undefined; open?: string | undefined } => ({
    page: page(search),
    find: from.text(search['find'], 255),
    sort: from.text(search['sort'])?.match(/^[a-zA-Z]+,(asc|desc)$/)?.[0],
    open: search['open'] === 'new' ? 'new' : from.uuid(search['open']),
  }),
  component: lazy(() => import('../manage/ResourcePage'), 'ResourcePage'),
});
const allVehicles = createRoute({
  getParentRoute: () => root,
  path: '/manage/vehicles',
  validateSearch: (search: Search): AllVehiclesSearch => ({
    page: page(search),
    sort: from.text(search['sort'])?.match(/^[a-zA-Z]+,(asc|desc)$/)?.[0],
    brand: from.text(search['brand'], 255),
    type: from.uuid(search['type']),
    owner: from.text(search['owner'], 255),
    plate: from.text(search['plate'], 255),
  }),
  component: lazy(() => import('../manage/VehiclesPage'), 'VehiclesPage'),
});
const newType = createRoute({ getParentRoute: () => root, path: '/manage/types/new', component: lazy(() => import('../manage/TypePage'), 'NewTypePage') });
const editType = createRoute({ getParentRoute: () => root, path: '/manage/types/$id', ...record, component: lazy(() => import('../manage/TypePage'), 'EditTypePage') });

const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: (search: Search): DocumentsSearch => ({
    list: from.oneOf(search['list'], DOCUMENT_LISTS) ?? 'inbound',
    partner: from.text(search['partner'], 255),
    number: from.text(search['number'], 255),
    from: from.date(search['from']),
    to: from.date(search['to']),
  }),
  component: lazy(() => import('../documents/DocumentsPage'), 'DocumentsPage'),
});
const send = createRoute({ getParentRoute: () => root, path: '/documents/send', component: lazy(() => import('../documents/SendPage'), 'SendPage') });
const document = createRoute({
  getParentRoute: () => root,
  path: '/documents/$messageId/$entityId',
  component: lazy(() => import('../documents/DocumentPage'), 'DocumentPage'),
});
const callback = createRoute({
  getParentRoute: () => root,
  path: '/callback',
  validateSearch: (search: Search): { code?: string | undefined; state?: string | undefined; error?: string | undefined } => ({
    code: from.text(search['code']),
    state: from.text(search['state']),
    error: from.text(search['error']),
  }),
  component: lazy(() => import('../documents/CallbackPage'), 'CallbackPage'),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Where the reader came from; only ever a page of this app.
  validateSearch: (search: Search): { back?: string | undefined } => ({ back: from.text(search['back'])?.match(/^\/(?![/\\]).*/)?.[0] }),
  component: lazy(() => import('./SignInPage'), 'SignInPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    search, browse, compare, saved, vehicle, mine, create, edit, files, manage, allVehicles, newType, editType, resource, documents, send, document, callback, signIn,
  ]),
  parseSearch,
  stringifySearch,
  // Around each page, so that the frame stays when one fails.
  defaultErrorComponent: RouteFailure,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
