import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';
import { generateHistory } from '#tools/simulation/generate.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { type Recount, recount } from '#tools/simulation/recount.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { totalsTable } from '#tools/simulation/totals-table.ts';
import type { DemoOptions } from './transcript.ts';

/** Constant, so that an interrupted demo sends the same events again. That changes nothing. */
const history = { rooms: 4, sessions: 3, participants: 5, seed: 1, roomPrefix: '/demo/' } as const;
const hourMs = 3_600_000;
const lastHour = 18;

/** The start of a demo day that has ended by now. */
export function demoDay(now: number): string {
  return new Date(Math.floor(now / hourMs - lastHour) * hourMs).toISOString();
}

/** Sends a day of rooms through the queues, as a platform does. Returns the text that describes its insights. */
export async function playDay(
  { endpoints, organizationId, token, onProgress, signal }: DemoOptions,
  day: string,
): Promise<string> {
  const events = generateHistory({ ...history, organizationId, day });
  const expected = recount(organizationId, events);
  onProgress(`Playing a day of ${expected.rooms.length} rooms: ${events.length} events`);
  await sendEvents(events, { endpoints, signal });
  onProgress('Waiting for the totals of the day');
  const api = insightsApi(endpoints.apiUrl, async () => token, signal);
  const { difference } = await untilApiAgrees(expected, api, {
    withActivity: recount(organizationId, events, undefined, { withActivity: true }),
    signal,
  });
  if (difference !== undefined) throw new Error(`the insights of the day are wrong: ${difference}`);
  return describe(expected, events, endpoints.apiUrl);
}

function describe(expected: Recount, events: readonly PlatformEvent[], apiUrl: string): string {
  const { roomName, roomSessionId, participantId, displayName } = onBadNetwork(events).data;
  const curl = (path: string, query: Record<string, string>) =>
    `curl -H "Authorization: Bearer $TOKEN" "${apiUrl}/v1/insights/${path}?${readable(query)}"`;
  return `The insights of a day of ${expected.rooms.length} rooms, ${events.length} events:

${totalsTable(expected.rooms)}

The next calls list the rooms, the sessions of a room and the participants of a session. The last one shows
${displayName}, who lost the connection and came back five times: packet loss and bitrate every two seconds.

${curl('rooms', { sortBy: 'totalParticipantMinutes:desc' })}
${curl('room-sessions', { roomName })}
${curl('participants', { roomSessionId })}
${curl('participant', { roomSessionId, participantId })}`;
}

/** A query string with slashes and colons left unencoded, which is valid. */
function readable(query: Record<string, string>): string {
  return String(new URLSearchParams(query)).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

function onBadNetwork(events: readonly PlatformEvent[]): EventOf<'room.client.joined'> {
  const found = events
    .filter((event) => event.type === 'room.client.joined')
    .find(({ data }) => data.displayName.includes('bad network'));
  if (!found) throw new Error('nobody is on a bad network'); // cannot happen with these sizes
  return found;
}
