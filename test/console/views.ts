import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { endpoints } from '../support/machine.ts';
import type { World } from './world.ts';

/** A view at an address, and a text that it has once its data is there. */
export type View = { readonly path: string; readonly says: string | RegExp };

const month = 'from=2026-03-01&to=2026-03-03';

/** Every view of the console with data, by its name. */
export function viewsOf(world: World): Readonly<Record<ViewName, View>> {
  const { session, long, person } = world;
  const room = encodeURIComponent(session.room);
  const longRoom = encodeURIComponent(long.room);
  return {
    rooms: { path: '/rooms', says: '/team/standup' },
    room: { path: `/room?name=${room}`, says: 'Sessions over time' },
    session: { path: `/session?id=${session.id}&room=${room}`, says: 'Talk time' },
    participant: {
      path: `/participant?session=${person.session}&room=${encodeURIComponent(person.room)}&id=${person.id}`,
      says: 'Network over time',
    },
    'long-session': { path: `/session?id=${long.id}&room=${longRoom}`, says: 'Talk time' },
    'long-participant': {
      path: `/participant?session=${long.id}&room=${longRoom}&id=${long.people[0]}&with=${long.people[1]}`,
      says: 'Network over time',
    },
    transcriptions: { path: '/transcriptions', says: '/team/retro' },
    transcript: { path: `/transcript?id=${world.meetingId}&find=summer`, says: 'Ada' },
    'long-transcript': { path: `/transcript?id=${world.longId}&t=43200`, says: 'Number 6000' },
    failed: { path: `/transcript?id=${world.failedId}`, says: 'recording_missing' },
    usage: { path: `/usage?${month}`, says: 'Minutes of participants' },
    webhooks: { path: '/webhooks', says: 'Tells the calendar' },
    webhook: { path: `/webhook?id=${world.webhookId}`, says: 'Deliveries' },
  };
}

/** The names of the views. */
export const viewNames = [
  'rooms',
  'room',
  'session',
  'participant',
  'long-session',
  'long-participant',
  'transcriptions',
  'transcript',
  'long-transcript',
  'failed',
  'usage',
  'webhooks',
  'webhook',
] as const;
/** The name of a view. */
export type ViewName = (typeof viewNames)[number];

/** Opens the usage again and again until it has rows, and returns how many: sessions count some minutes after their end. */
export function openUsage(page: Page, { usage }: Readonly<Record<ViewName, View>>): Promise<number> {
  return vi.waitUntil(
    async () => {
      await page.goto(addressOf(usage));
      await page.waitForLoadState('networkidle');
      return page.locator('tbody th').count();
    },
    { timeout: 100_000, interval: 1000 },
  );
}

/** The address of a view in the console of `npm start`. */
export function addressOf({ path }: Pick<View, 'path'>): string {
  return `${endpoints.apiUrl}/console${path}`;
}
