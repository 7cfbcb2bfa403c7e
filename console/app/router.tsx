import { createRootRoute, createRoute, createRouter, Link, redirect } from '@tanstack/react-router';
import { Loading } from '../parts/page/async-state.tsx';
import { Notice } from '../parts/page/notice.tsx';
import { texts } from '../texts/en.ts';
import { RoomsView } from '../views/insights/rooms/rooms-view.tsx';
import { lazyView, ViewFailure } from './lazy-view.tsx';
import { only, parseSearch, stringifySearch } from './search.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ViewFailure,
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/rooms' });
  },
});

/** All rooms. */
export const roomsRoute = createRoute({
  getParentRoute: () => root,
  path: '/rooms',
  validateSearch: only('sort', 'find', 'match', 'from', 'to', 'columns'),
  component: RoomsView,
});

/** One room and its sessions. */
export const roomRoute = createRoute({
  getParentRoute: () => root,
  path: '/room',
  validateSearch: only('name', 'sort', 'from', 'to'),
  component: lazyView(() => import('../views/insights/room/room-view.tsx'), 'RoomView'),
});

/** One session and who was there. */
export const sessionRoute = createRoute({
  getParentRoute: () => root,
  path: '/session',
  validateSearch: only('id', 'room', 'find', 'sort', 'from', 'to'),
  component: lazyView(() => import('../views/insights/session/session-view.tsx'), 'SessionView'),
});

/** One participant's network, beside the session and others. */
export const participantRoute = createRoute({
  getParentRoute: () => root,
  path: '/participant',
  validateSearch: only('session', 'room', 'id', 'with', 'from', 'to', 'hide'),
  component: lazyView(() => import('../views/insights/participant/participant-view.tsx'), 'ParticipantView'),
});

/** All transcriptions. */
export const transcriptionsRoute = createRoute({
  getParentRoute: () => root,
  path: '/transcriptions',
  validateSearch: only('state', 'room', 'session', 'type', 'from', 'to', 'sort'),
  component: lazyView(() => import('../views/transcriptions/transcriptions-view.tsx'), 'TranscriptionsView'),
});

/** One transcript. */
export const transcriptRoute = createRoute({
  getParentRoute: () => root,
  path: '/transcript',
  validateSearch: only('id', 't', 'find', 'match', 'speaker'),
  component: lazyView(() => import('../views/transcript/transcript-view.tsx'), 'TranscriptView'),
});

/** Minutes by day and room. */
export const usageRoute = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: only('from', 'to', 'by', 'room', 'price', 'sort'),
  component: lazyView(() => import('../views/insights/usage/usage-view.tsx'), 'UsageView'),
});

/** All webhooks. */
export const webhooksRoute = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyView(() => import('../views/webhooks/webhooks-view.tsx'), 'WebhooksView'),
});

/** One webhook and its deliveries. */
export const webhookRoute = createRoute({
  getParentRoute: () => root,
  path: '/webhook',
  validateSearch: only('id', 'status'),
  component: lazyView(() => import('../views/webhooks/webhook-view.tsx'), 'WebhookView'),
});

const tree = root.addChildren([
  start,
  roomsRoute,
  roomRoute,
  sessionRoute,
  participantRoute,
  transcriptionsRoute,
  transcriptRoute,
  usageRoute,
  webhooksRoute,
  webhookRoute,
]);

/** Creates the router. Every view is an address, and all of its state is in the search parameters. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: tree,
    basepath: import.meta.env.BASE_URL,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ViewFailure, // of the view alone: the way to the others stays
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

function NotFound() {
  const { notFound, notFoundRemedy, views } = texts.common;
  return (
    <Notice title={notFound} text={notFoundRemedy} kind="hint">
      <Link to="/rooms">{views.rooms}</Link>
    </Notice>
  );
}
