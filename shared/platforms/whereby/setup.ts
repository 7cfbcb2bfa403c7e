import type { Setup } from '../setup.ts';

/** What to enter in the dashboard of Whereby (docs/platforms/whereby.md). */
export const setup: Setup = ({ url }) => `In Whereby's dashboard, under Configure, Webhooks, add a webhook:

  URL     ${url}
  Events  room.client.joined, room.client.left, room.session.started, room.session.ended`;
