import { v5, validate } from 'uuid';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Target, Webhook } from './dialect.ts';
import { nativeEvents, views } from './differences.ts';
import type { Meeting } from './meeting.ts';

/** The namespace of derived UUIDs, as docs/platforms publishes it. */
const namespace = '7b1f0c1e-6d3b-4a57-9a57-0f5d0b9b8c66';

/** The webhooks of a meeting as they arrive: shuffled, some of them twice, and without those that are lost. */
export async function arrivingOf(dialect: Dialect, meeting: Meeting, target: Target): Promise<readonly Webhook[]> {
  const random = createRandom('delivery', meeting.seed);
  const arriving = (await dialect.webhooks(meeting, target)).filter(({ tells }) => !meeting.lost.has(tells as never));
  const doubles = arriving.filter(() => random.chance(0.3));
  return random.shuffled([...arriving, ...doubles]);
}

/** What the webhooks of meetings that arrive say, in events of our own. */
export function expectedOf(
  { platform, sessionId, waits = false }: Dialect,
  organizationId: string,
  meetings: readonly Meeting[],
): PlatformEvent[] {
  const view = views[platform];
  return meetings.flatMap((meeting) => {
    if (waits && meeting.lost.has('start') && meeting.lost.has('end')) return []; // its webhooks wait until they expire
    const platformId = (sessionId ?? view.sessionId)(meeting);
    const isOwn = view.keepsUuid && validate(platformId);
    const roomSessionId = isOwn ? platformId : v5(`${organizationId}|${platform}|${platformId}`, namespace);
    return nativeEvents(meeting, view, { organizationId, roomSessionId });
  });
}
