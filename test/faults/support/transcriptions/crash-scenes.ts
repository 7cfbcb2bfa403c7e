import type { PlatformEvent } from '#tools/simulation/events.ts';
import { scriptOf } from '../insights/session-script.ts';

/** The events recorded before, and the batch during which the process dies. */
export type Scene = { readonly before: readonly PlatformEvent[]; readonly batch: readonly PlatformEvent[] };
const otherSession = '5e551011-0000-4000-8000-000000000002';

/** Scenes of every kind of event. */
export const scenes = {
  'the first event of a session': (organizationId) => ({
    before: [],
    batch: [scriptOf(organizationId).started(0)],
  }),
  'a join': (organizationId) => {
    const { started, joined } = scriptOf(organizationId);
    return { before: [started(0), joined('ada', 1)], batch: [joined('bob', 2, { roleName: 'recorder' })] };
  },
  'a leave': (organizationId) => {
    const { joined, left } = scriptOf(organizationId);
    return { before: [joined('ada', 0), joined('bob', 1)], batch: [left('ada', 90)] };
  },
  'a rating': (organizationId) => {
    const { joined, rated } = scriptOf(organizationId);
    return { before: [joined('ada', 0), rated('ada', 60, 2)], batch: [rated('ada', 70, 4.5, { tags: ['echo'] })] };
  },
  'an end that closes three connections': (organizationId) => {
    const { started, joined, left, ended } = scriptOf(organizationId);
    const open = [joined('ada', 1), joined('bob', 2), joined('eve', 3, { roleName: 'streamer' })];
    return { before: [started(0), ...open, joined('dan', 4), left('dan', 5)], batch: [ended(600)] };
  },
  'a created room': (organizationId) => {
    const { joined, created } = scriptOf(organizationId);
    return { before: [joined('ada', 0)], batch: [created(-60, '2026-03-02T00:00:00Z')] };
  },
  'a batch of everything': (organizationId) => {
    const { created, started, joined, left, rated, ended } = scriptOf(organizationId);
    const other = scriptOf(organizationId, { roomSessionId: otherSession });
    return {
      before: [joined('ada', 5), joined('bob', 6), other.joined('ada', 1000)],
      batch: [
        ...[created(-60), started(0), joined('eve', 7), left('ada', 90), rated('ada', 95, 3), ended(300)],
        ...[other.started(990), other.ended(1100), left('mia', 8), joined('mia', 9)],
      ],
    };
  },
  'network samples of three blocks': (organizationId) => {
    const { joined, sampled } = scriptOf(organizationId);
    const values = Array.from({ length: 4000 }, (_, index) => (index % 7 === 0 ? null : index));
    return { before: [joined('ada', 0)], batch: [sampled('ada', 1, values)] };
  },
  'speech of three blocks': (organizationId) => {
    const { joined, spoke } = scriptOf(organizationId);
    return { before: [joined('ada', 0), spoke('ada', [5, 9])], batch: [spoke('ada', [1, 7], [60, 9_000])] };
  },
} satisfies Record<string, (organizationId: string) => Scene>;

/** The scenes in which two processes die one after the other. */
export const scenesOfTwoDeaths = ['a join', 'an end that closes three connections'] as const;
