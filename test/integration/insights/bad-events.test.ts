import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import type { RefusedEvent } from '#client/index.ts';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { roomscribeOf } from '../../support/client/typed-client.ts';
import { eventually } from '../../support/eventually.ts';
import { insightsOf, seriesOf, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { endpoints, logOf, organization, sqs } from '../../support/machine.ts';
import { type PlatformQueue, takeDeadLetters } from '../../support/operations/dead-letters.ts';

type Change = { readonly data?: object | null | undefined; readonly [field: string]: unknown };
/** An event type, the invalid change (or a text in place of the event), and the reason in the log. */
type Bad = readonly [type: PlatformEvent['type'], change: Change | string, reason: string];

const having = (data: object): Change => ({ data });
const joined = 'room.client.joined';
const rated = 'room.client.rated';
const sampled = 'room.client.sampled';
const spoke = 'room.client.spoke';

const badRoomEvents: readonly Bad[] = [
  [joined, { type: 'room.imagined' }, 'type must be an event type that this queue accepts: room.created'],
  [joined, { type: 'constructor' }, 'type must be an event type that this queue accepts: room.created'],
  [joined, { type: undefined }, 'type must be an event type that this queue accepts: room.created'],
  [sampled, {}, 'type must be an event type that this queue accepts: room.created'],
  [spoke, {}, 'type must be an event type that this queue accepts: room.created'],
  [joined, { version: 2 }, 'version must be 1'],
  [joined, { version: '1' }, 'version must be 1'],
  [joined, { createdAt: 'yesterday' }, 'createdAt must be an ISO 8601 date and time with a time zone'],
  [joined, { createdAt: '2026-03-02T09:00:00' }, 'createdAt must be an ISO 8601 date and time with a time zone'],
  [joined, { createdAt: 1_772_442_000_000 }, 'createdAt must be a string'],
  [joined, { createdAt: '2026-02-30T09:00:00Z' }, 'createdAt must be a date and time that exists'],
  [joined, { createdAt: '2016-12-31T23:59:60Z' }, 'createdAt must be a date and time that exists'],
  [joined, { createdAt: '0000-01-01T00:00:00Z' }, 'createdAt must be a date and time that exists'],
  [joined, { createdAt: '9999-01-01T00:00:00Z' }, 'createdAt must be a date and time that exists'],
  [
    'room.session.ended',
    { createdAt: '9998-12-31T00:00:00Z' },
    'createdAt must be at most 36500 days after it was sent',
  ],
  [joined, { organizationId: 'acme # other' }, 'organizationId must be 1 to 64 letters'],
  [joined, { id: 'x'.repeat(129) }, 'id '],
  [joined, { data: null }, 'data must be an object'],
  [joined, { data: undefined }, 'data is required'],
  [joined, having({ roomName: 'daily' }), 'data.roomName must start with "/"'],
  [joined, having({ roomName: `/${'é'.repeat(256)}` }), 'data.roomName must be at most 512 bytes of UTF-8'],
  [joined, having({ roomName: '/\ud800' }), 'data.roomName must be valid Unicode'],
  [joined, having({ roomSessionId: 'abc' }), 'data.roomSessionId must be a UUID'],
  [joined, having({ participantId: '' }), 'data.participantId must not be empty'],
  [joined, having({ participantId: 'x'.repeat(257) }), 'data.participantId must be at most 256 bytes of UTF-8'],
  [joined, having({ externalId: 'a\0b' }), 'data.externalId must not contain the NUL character'],
  [joined, having({ deviceId: undefined }), 'data.deviceId is required'],
  [joined, having({ roleName: '' }), 'data.roleName'],
  [joined, having({ displayName: 'x'.repeat(257) }), 'data.displayName'],
  [joined, having({ displayName: '\udc00' }), 'data.displayName must be valid Unicode'],
  [rated, having({ rating: 0 }), 'data.rating must be from 1 to 5'],
  [rated, having({ rating: 6 }), 'data.rating must be from 1 to 5'],
  [rated, having({ rating: -1 }), 'data.rating must be from 1 to 5'],
  [rated, having({ rating: '5' }), 'data.rating must be a number'],
  [rated, having({ rating: undefined }), 'data.rating is required'],
  [rated, having({ tags: 'audio' }), 'data.tags must be an array'],
  [rated, having({ tags: Array(51).fill('x') }), 'data.tags'],
  [rated, having({ comment: 'x'.repeat(5001) }), 'data.comment'],
  ['room.created', having({ endAt: '2026-03-02' }), 'data.endAt must be an ISO 8601 date and time with a time zone'],
  ['room.session.ended', having({ roomSessionId: undefined }), 'data.roomSessionId is required'],
  ['fact.retracted', having({ eventId: '' }), 'data.eventId must not be empty'],
  [
    'fact.retracted',
    having({ roomName: undefined, roomSessionId: null }),
    'data must have roomName, roomSessionId or both',
  ],
  ['fact.retracted', having({ roomSessionId: 'abc' }), 'data.roomSessionId must be a UUID'],
  [joined, '{"id":"MARK"', 'must be JSON'],
  [joined, '[{"id":"MARK"}]', 'must be an object'],
  [joined, '"MARK"', 'must be an object'],
];

const accepted = 'type must be an event type that this queue accepts: room.client.sampled, room.client.spoke';
const minute = { from: '2026-03-02T09:00:00Z', to: '2026-03-02T09:01:00Z' };

const badSamples: readonly Bad[] = [
  [sampled, { type: 'room.client.imagined' }, accepted],
  [joined, {}, accepted],
  [sampled, { version: 2 }, 'version must be 1'],
  [sampled, { createdAt: '2026-03-02T09:00:00' }, 'createdAt must be an ISO 8601 date and time with a time zone'],
  [
    sampled,
    having({ startedAt: '2026-03-02T09:00:00' }),
    'data.startedAt must be an ISO 8601 date and time with a time zone',
  ],
  [sampled, having({ startedAt: '2026-03-02T09:00:60Z' }), 'data.startedAt must be a date and time that exists'],
  [
    sampled,
    having({ startedAt: '9998-12-31T00:00:00Z' }),
    'data.startedAt must be at most 36500 days after it was sent',
  ],
  [sampled, having({ roomSessionId: 'abc' }), 'data.roomSessionId must be a UUID'],
  [sampled, having({ participantId: undefined }), 'data.participantId is required'],
  [sampled, having({ sampleRateMs: 0 }), 'data.sampleRateMs'],
  [sampled, having({ sampleRateMs: 99 }), 'data.sampleRateMs'],
  [sampled, having({ sampleRateMs: -2000 }), 'data.sampleRateMs'],
  [sampled, having({ sampleRateMs: 2000.5 }), 'data.sampleRateMs'],
  [sampled, having({ sampleRateMs: 3_600_001 }), 'data.sampleRateMs'],
  [sampled, having({ packetLossSend: [-0.1, 0] }), 'data.packetLossSend.0'],
  [sampled, having({ bitrateRecv: [0, -1] }), 'data.bitrateRecv.1'],
  [sampled, having({ bitrateSend: [1e13, 0] }), 'data.bitrateSend.0'],
  [sampled, having({ bitrateSend: ['0', 0] }), 'data.bitrateSend.0 must be a number'],
  [sampled, having({ bitrateSend: [1] }), 'must be as long as the other series'],
  [sampled, having(seriesOf([])), 'data.packetLossSend'],
  [sampled, having({ packetLossRecv: undefined }), 'data.packetLossRecv is required'],
  [sampled, having({ packetLossRecv: {} }), 'data.packetLossRecv must be an array'],
  [sampled, 'MARK', 'must be JSON'],
  [spoke, having({ intervals: [] }), 'data.intervals must have 1 to 1000 elements'],
  [spoke, having({ intervals: Array(1001).fill(minute) }), 'data.intervals must have 1 to 1000 elements'],
  [spoke, having({ intervals: { 0: minute } }), 'data.intervals must be an array'],
  [
    spoke,
    having({ intervals: [{ ...minute, to: '2026-03-02T08:59:59Z' }] }),
    'data.intervals.0.to must not be before from',
  ],
  [
    spoke,
    having({ intervals: [minute, { ...minute, to: '2026-03-03T09:00:00.001Z' }] }),
    'data.intervals must not span more than 24 hours',
  ],
  [
    spoke,
    having({ intervals: [{ from: '9998-12-31T00:00:00Z', to: '9998-12-31T00:00:01Z' }] }),
    'data.intervals.0.from must be at most 36500 days after it was sent',
  ],
  [spoke, having({ participantId: undefined }), 'data.participantId is required'],
];

/** The message, with a text that identifies it. */
function messageOf(organizationId: string, mark: string, [type, change]: Bad): string {
  if (typeof change === 'string') return change.replace('MARK', mark);
  const session = sessionOf(organizationId, { roomName: '/bad' });
  const events: Readonly<Record<PlatformEvent['type'], PlatformEvent>> = {
    'room.created': session.created('09:00'),
    'room.session.started': session.started('09:00'),
    'room.session.ended': session.ended('09:00'),
    'room.client.joined': session.joined('p', '09:00'),
    'room.client.left': session.left('p', '09:00'),
    'fact.retracted': session.retracted({ id: 'evt-1' }),
    'room.client.rated': session.rated('p', '09:00', 3),
    'room.client.updated': session.updated('p', '09:00', { spokenSeconds: 1 }),
    'room.client.sampled': session.sampled('p', '09:00', [1, 2]),
    'room.client.spoke': session.spoke('p', ['09:00', '09:01'], ['09:02', '09:03']),
  };
  const event = events[type];
  return asciiJson({ ...event, ...change, ...(change.data && { data: { ...event.data, ...change.data } }), mark });
}

/** Sends texts to a queue in batches of ten. Returns the message ids in the same order. */
async function sendAll(queue: PlatformQueue, messages: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < messages.length; from += 10) {
    const Entries = messages.slice(from, from + 10).map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    const { Successful = [] } = await sqs.send(
      new SendMessageBatchCommand({ QueueUrl: endpoints.queues[queue], Entries }),
    );
    ids.push(...Successful.map(({ MessageId = '' }) => MessageId));
  }
  expect(ids).toHaveLength(messages.length);
  return ids;
}

type LogLine = { readonly message: string; readonly messageId?: string; readonly issues?: string };

async function linesOf(worker: string): Promise<LogLine[]> {
  const lines = (await logOf(worker)).split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line)).filter(isOutcome);
}

/** On a busy machine the pause before a retry cannot always be set. The message comes again all the same. */
function isOutcome({ message }: LogLine): boolean {
  return !message.startsWith('retry pause not set');
}

function reasonsOf(refused: readonly RefusedEvent[]): string[] {
  return refused.map(({ reasons }) => reasons.map(({ path, message }) => `${path} ${message}`).join('; '));
}

describe.concurrent.each([
  { queue: 'roomEvents', worker: 'record-room-events', bad: badRoomEvents },
  { queue: 'networkSamples', worker: 'record-network-samples', bad: badSamples },
] as const)('the queue $queue', ({ queue, worker, bad }) => {
  it('rejects invalid events with the reason in the log, and stores the valid ones of the same batches', {
    timeout: 90_000,
  }, async () => {
    const acme = organization();
    const session = sessionOf(acme);
    const isSampled = queue === 'networkSamples';
    const good = bad.map((_, index): PlatformEvent => {
      if (isSampled) return session.sampled('p-0', `09:00:${String(index * 2).padStart(2, '0')}`, [index]);
      return session.joined(`p-${index}`, '09:00');
    });
    const known: PlatformEvent[] = isSampled ? [session.joined('p-0', '09:00')] : [];
    await sendAll('roomEvents', known.map(asciiJson));

    const marks = bad.map(() => randomUUID());
    const bodies = bad.map((each, index) => messageOf(acme, String(marks[index]), each));
    const ids = await sendAll(
      queue,
      bodies.flatMap((body, index) => [body, asciiJson(good[index] ?? {})]),
    );

    await untilCounted(acme, [...known, ...good]);
    expect(await takeDeadLetters(marks, queue)).toEqual(bodies);
    expect((await insightsOf(acme).rooms()).results).toMatchObject([{ roomName: '/daily' }]);
    await eventually(async () => {
      const lines = await linesOf(worker);
      const outcome = ids.map((id) => lines.filter(({ messageId }) => messageId === id).map(({ message }) => message));
      const [failed, done] = [Array(5).fill('message failed'), ['message done']];
      expect(outcome).toEqual(bad.flatMap(() => [failed, done]));
      const reasons = ids.map((id) => lines.find(({ messageId }) => messageId === id)?.issues);
      expect(reasons.filter((_, index) => index % 2 === 0)).toEqual(
        bad.map(([, , reason]) => expect.stringContaining(reason)),
      );
    }, 30_000);
    const listed = await roomscribeOf(acme).events.listRefused().toArray();
    const listable = bad.filter(([, change]) => typeof change !== 'string' && !('organizationId' in change));
    expect(listed).toHaveLength(listable.length); // each message was refused five times
    for (const [, , reason] of listable) expect(reasonsOf(listed)).toContainEqual(expect.stringContaining(reason));
  });
});
