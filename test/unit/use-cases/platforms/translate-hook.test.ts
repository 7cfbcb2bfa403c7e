import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { createHandler } from '#functions/workers/platforms/translate-hooks/handler.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { HookMessage } from '#shared/contracts/messages.ts';
import type { Connection, PlatformName } from '#shared/contracts/platforms/connection.ts';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import type { NewEvent } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { ServiceUnavailable, UnreadableMessage } from '#shared/runtime/errors.ts';
import { noTimeLimit } from '#shared/runtime/time-left.ts';
import {
  eventsPerTurn,
  maxEventsPerHook,
  type TranslateHookDependencies,
  translateHook,
} from '#shared/use-cases/platforms/translate-hook.ts';
import { answering } from '../../../support/client/fake-client.ts';
import { sqsEvent } from '../../../support/http/sqs-events.ts';
import { captureLogLines } from '../../../support/log-lines.ts';
import { organizationId } from '../../../support/operations/records.ts';

const acme = organizationId();
const startedAt = 1768471200;
const receivedAt = '2026-01-15T10:30:00.000Z';
const connectionId = 'c'.repeat(43);
const key = `hooks/acme/${connectionId}/1.json`;

type Scene = {
  readonly settings?: Connection['settings'];
  readonly sessions?: readonly PlatformSession[];
};

/** The dependencies of a stored webhook, and what was sent and remembered. */
function sceneOf(platform: PlatformName, payload: unknown, { settings = {}, sessions = [] }: Scene = {}) {
  const connection = { connectionId, organizationId: acme, platform, settings, createdAt: receivedAt };
  const stored = { connectionId, organizationId: acme, platform, receivedAt, digest: 'd'.repeat(64), payload };
  const sent: NewEvent[][] = [];
  const goOn: HookMessage[] = [];
  const remembered: PlatformSession[] = [];
  const deps: TranslateHookDependencies = {
    connections: { find: async () => connection },
    hooks: { get: async () => stored },
    sessions: {
      sessionsOf: async () => sessions,
      remember: async (_, session) => void remembered.push(session),
      settle: async () => {},
      park: async () => ({ key, mark: 'mark', since: receivedAt }),
      parked: async function* () {},
      unpark: async () => {},
    },
    insights: { find: async () => undefined },
    timeBounds: { daysAhead: 1, daysBack: 365 },
    now: () => new Date(receivedAt),
    manifests: { read: async () => undefined },
    platforms,
    buckets: { recordings: 'service-recordings', transcripts: 'service-transcripts' },
    sendHooks: async (_, messages) => void goOn.push(...messages),
    sendEvents: async (_, events) => void sent.push([...events]),
  };
  return { deps, sent, goOn, remembered };
}

/** Translates a webhook whose events fit in one turn. Every event that it sends is one that the queue takes. */
async function eventsOf(platform: PlatformName, payload: unknown, scene: Scene = {}) {
  const { deps, sent } = sceneOf(platform, payload, scene);
  const outcome = await translateHook(deps, { connectionId, key }, noTimeLimit);
  const events = sent.flat().map((event) => RoomEvent.parse(JSON.parse(JSON.stringify(event))));
  return { events, outcome };
}

const jaas = (eventType: string, data: unknown) => ({
  ...{ eventType, idempotencyKey: 'key', sessionId: '9a441d60-ceaf-4eba-b0a8-a7d940a76e1b' },
  ...{ timestamp: startedAt * 1000, fqn: 'vpaas-1/standup', data },
});
const recordingOf = (file: string) => ({
  ...{ event_name: 'roomscribe-recording-finished', meeting_id: 'm', room_name: 'standup' },
  ...{ start: startedAt, end: startedAt + 60, bucket: 'service-recordings', key: file },
});
const jitsiRoom = { room_name: 'standup', room_jid: 'standup@conference.meet.example', created_at: startedAt };
const destroyed = (all_occupants: unknown, more: object = {}) => ({
  ...{ event_name: 'muc-room-destroyed', ...jitsiRoom, destroyed_at: startedAt + 900, all_occupants },
  ...more,
});
const occupant = (number: number, more: object = {}) => ({
  ...{ occupant_jid: `n${number}@meet.example/r`, joined_at: startedAt + 1, left_at: startedAt + 60 },
  ...more,
});
const speakers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}@8x8.vc/r`, { time: 1000 }]));

describe('a webhook with many events', () => {
  test('is sent in turns, each of which is a message that can come twice', async () => {
    const count = 2 * eventsPerTurn + 1;
    const { deps, sent, goOn } = sceneOf('jaas', jaas('SPEAKER_STATS', speakers(count)));
    const messages: HookMessage[] = [{ organizationId: acme, connectionId, key }];
    for (let message = messages.shift(); message; message = messages.shift()) {
      const before = sent.length;
      await translateHook(deps, message, noTimeLimit);
      messages.push(...goOn.splice(0));
      await translateHook(deps, message, noTimeLimit);
      goOn.splice(0);
      expect(sent[before + 1]).toEqual(sent[before]);
    }
    expect(sent.map((events) => events.length)).toEqual([1000, 1000, 1000, 1000, 1, 1]);
    expect(new Set(sent.flat().map(({ id }) => id)).size).toBe(count);
  });

  test('goes on only after its events were sent', async () => {
    const { deps, goOn } = sceneOf('jaas', jaas('SPEAKER_STATS', speakers(eventsPerTurn + 1)));
    const failing = { ...deps, sendEvents: () => Promise.reject(new Error('SQS')) };
    await expect(translateHook(failing, { connectionId, key }, noTimeLimit)).rejects.toThrow('SQS');
    expect(goOn).toEqual([]);
  });

  test('waits for its next receive if too little time is left', async () => {
    const { deps, sent } = sceneOf('jaas', jaas('SPEAKER_STATS', speakers(3)));
    const assertTimeLeft = () => {
      throw new ServiceUnavailable('time');
    };
    await expect(translateHook(deps, { connectionId, key }, assertTimeLeft)).rejects.toThrow('time');
    expect(sent).toEqual([]);
  });

  test('has at most a documented number of them', async () => {
    const { deps, sent, remembered } = sceneOf('jaas', jaas('SPEAKER_STATS', speakers(maxEventsPerHook + 1)));
    const refusal = translateHook(deps, { connectionId, key }, noTimeLimit);
    await expect(refusal).rejects.toThrow(UnreadableMessage);
    await expect(refusal).rejects.toMatchObject({ issues: [{ message: 'must have at most 20000 events' }] });
    expect([sent, remembered]).toEqual([[], []]);
  });
});

describe('a part of a webhook that cannot be read', () => {
  test('loses no other occupant, and not the end of the session', async () => {
    const broken = [occupant(2, { joined_at: 'soon' }), null, occupant(4, { occupant_jid: undefined })];
    const payload = destroyed([occupant(1, { name: true }), ...broken, occupant(5, { id: {} })]);
    const { events, outcome } = await eventsOf('jitsi', payload);
    const joined = events.filter(({ type }) => type === 'room.client.joined');
    expect(joined.map(({ data }) => (data as { deviceId: string }).deviceId)).toEqual(['n1', 'n5']);
    expect(events.at(-1)?.type).toBe('room.session.ended');
    expect(outcome).toMatchObject({ dropped: 3 });
  });

  test.each([['no list'], [{ a: 1 }], [7]])('loses not the end of a session with the occupants %j', async (all) => {
    const { events, outcome } = await eventsOf('jitsi', destroyed(all));
    expect(events.at(-1)?.type).toBe('room.session.ended');
    expect(outcome).toMatchObject({ dropped: 1 });
  });

  test('loses no other event of the same request of BigBlueButton', async () => {
    const meeting = { 'internal-meeting-id': `abc-${startedAt * 1000}`, 'external-meeting-id': 'standup' };
    const left = (user: object) => ({
      data: { id: 'user-left', attributes: { meeting, user }, event: { ts: startedAt * 1000 } },
    });
    const payload = { events: [left({}), left({ 'internal-user-id': 'w_1' }), left({ 'internal-user-id': 7 })] };
    const { events, outcome } = await eventsOf('bigbluebutton', payload);
    expect(events.filter(({ type }) => type === 'room.client.left')).toMatchObject([
      { data: { participantId: 'w_1' } },
    ]);
    expect(outcome).toMatchObject({ dropped: 2 });
  });

  test('loses no other speaker or device of JaaS', async () => {
    const talk = { 'a@8x8.vc/1': { time: 1000 }, 'b@8x8.vc/1': { time: 'long' }, 'c@8x8.vc/1': 7 };
    const spoken = await eventsOf('jaas', jaas('SPEAKER_STATS', talk));
    expect(spoken.events).toMatchObject([{ data: { participantId: 'a', spokenSeconds: 1 } }]);
    expect(spoken.outcome).toMatchObject({ dropped: 2 });
    const used = await eventsOf('jaas', jaas('USAGE', [{ deviceId: 'd', userId: 'u' }, 'x']));
    expect(used.events).toMatchObject([{ data: { participantId: 'u', deviceId: 'd' } }]);
    expect(used.outcome).toMatchObject({ dropped: 1 });
  });

  test('loses no other track of a recording of Daily', async () => {
    const id = '1f2cf4f4-7e5b-4d6c-9d2a-6f2b8a2d5c11';
    const s3Key = (at: number) => `acme/standup/1768471200-${id}-cam-audio-${at}.webm`;
    const tracks = [{ s3Key: s3Key(1768471207000) }, { s3Key: 7 }, 'x', { s3Key: `//${s3Key(1768471208000)}` }];
    const payload = { recording_id: 'r', room_name: 'standup', start_ts: startedAt, duration: 60, type: 'raw-tracks' };
    const session = { roomName: '/standup', sessionId: 'm', startedAt: new Date(startedAt * 1000).toISOString() };
    const { events, outcome } = await eventsOf(
      'daily',
      { type: 'recording.ready-to-download', payload: { ...payload, tracks } },
      { settings: { bucket: 'recordings-of-acme' }, sessions: [{ ...session, endedAt: null }] },
    );
    expect(events).toMatchObject([{ data: { tracks: [{ location: { key: s3Key(1768471207000) } }] } }]);
    expect(outcome).toMatchObject({ dropped: 3 });
  });
});

describe('an event that cannot be', () => {
  test('is dropped and counted, and the others are sent', async () => {
    const talk = { 'a@8x8.vc/1': { time: 1e15 }, 'b@8x8.vc/1': { time: 1000 } };
    const { events, outcome } = await eventsOf('jaas', jaas('SPEAKER_STATS', talk));
    expect(events).toMatchObject([{ data: { participantId: 'b' } }]);
    expect(outcome).toMatchObject({ events: 1, dropped: 1 });
  });

  test('is counted in the metrics, and the log has none of its values', async () => {
    const { lines } = captureLogLines();
    const { deps } = sceneOf('jaas', jaas('SPEAKER_STATS', { 'hopper@8x8.vc/1': { time: 1e15 } }));
    const { client: sqs } = answering(new SQSClient({ region: 'eu-west-1' }));
    const handler = createHandler({ ...deps, queue: { sqs, url: 'url' } });
    await handler(sqsEvent({ organizationId: acme, connectionId, key }));
    expect(lines()).toContainEqual(
      expect.objectContaining({ facts: expect.objectContaining({ HookEventsDropped: 1 }) }),
    );
    expect(lines()).toContainEqual(
      expect.objectContaining({
        facts: expect.objectContaining({
          level: 'WARN',
          message: 'webhook with events that are not valid',
          dropped: 1,
        }),
      }),
    );
    expect(JSON.stringify(lines())).not.toContain('hopper');
  });

  test('is counted if it names a file that its connection may not name, and nothing is sent', async () => {
    const { lines } = captureLogLines();
    const { deps, sent } = sceneOf('jitsi', recordingOf('others/private.mp4'));
    const { client: sqs } = answering(new SQSClient({ region: 'eu-west-1' }));
    const handler = createHandler({ ...deps, queue: { sqs, url: 'url' } });
    await handler(sqsEvent({ organizationId: acme, connectionId, key }));
    expect(sent.flat()).toEqual([]);
    expect(lines()).toContainEqual(
      expect.objectContaining({ facts: expect.objectContaining({ HookFilesRefused: 1 }) }),
    );
    expect(JSON.stringify(lines())).not.toContain('private.mp4');
  });

  test('is a dead letter after seconds if the whole body cannot be translated, and the log has none of its keys', async () => {
    const { lines } = captureLogLines();
    const { deps } = sceneOf('jaas', {
      ...jaas('SPEAKER_STATS', { 'hopper@8x8.vc/1': { time: 'x' } }),
      timestamp: 'x',
    });
    const { client: sqs, calls } = answering(new SQSClient({ region: 'eu-west-1' }));
    const handler = createHandler({ ...deps, queue: { sqs, url: 'url' } });
    const answer = await handler(sqsEvent({ organizationId: acme, connectionId, key }));
    expect(answer.batchItemFailures).toHaveLength(1);
    expect(calls).toMatchObject([{ input: { VisibilityTimeout: 1 } }]);
    expect(JSON.stringify(lines())).toContain('timestamp must be a number');
    expect(JSON.stringify(lines())).not.toContain('hopper');
  });
});

describe('a value that no event can have', () => {
  test('loses none of the occupants of a session', async () => {
    const ids = ['é'.repeat(200_000), 'é'.repeat(199_999), 'x\0', '\ud800', '\ud801'];
    const { events, outcome } = await eventsOf(
      'jitsi',
      destroyed([...ids.map((id, index) => occupant(index, { id })), occupant(9, { id: 'u-9' })]),
    );
    const people = events.flatMap(({ type, data }) =>
      type === 'room.client.joined' ? [(data as { participantId: string }).participantId] : [],
    );
    expect(new Set(people).size).toBe(6);
    expect(people.at(-1)).toBe('u-9');
    expect(outcome).toMatchObject({ dropped: 0 });
  });

  test('is the same in the join and in the leave, and in a replay', async () => {
    const joined = (more: object) => ({ event_name: 'muc-occupant-left', ...jitsiRoom, meeting_id: 'm', ...more });
    const payload = joined({ occupant: occupant(1, { id: 'é'.repeat(300) }) });
    const [first, replay, report] = await Promise.all([
      eventsOf('jitsi', payload),
      eventsOf('jitsi', payload),
      eventsOf('jitsi', destroyed([occupant(1, { id: 'é'.repeat(300) })], { meeting_id: 'm' })),
    ]);
    expect(replay.events).toEqual(first.events);
    const leaveOf = ({ events }: typeof first) => events.find(({ type }) => type === 'room.client.left')?.data;
    expect(leaveOf(report)).toEqual(leaveOf(first));
  });

  test('leaves out an external id of Whereby that a guest made too long', async () => {
    const data = { roomName: '/standup', roomSessionId: 's', participantId: 'p', externalId: 'x'.repeat(257) };
    const at = { type: 'room.client.joined', createdAt: '2026-01-15T10:00:00Z' };
    const { events } = await eventsOf('whereby', {
      ...at,
      data: { ...data, roleName: 'r'.repeat(65), numClients: 1.5 },
    });
    expect(events).toMatchObject([{ data: { participantId: 'p', roleName: 'r'.repeat(64) } }]);
    expect(events[0]?.data).not.toHaveProperty('externalId');
  });

  test('loses no participant of LiveKit', async () => {
    const attributes = { role: 'r'.repeat(65), device: 'd'.repeat(257), external: 'e'.repeat(257) };
    const participant = {
      sid: `PA_${'x'.repeat(200)}`,
      identity: 'i'.repeat(257),
      joinedAt: String(startedAt),
      attributes,
    };
    const room = { sid: 'RM_1', name: 'n'.repeat(600) };
    const { events } = await eventsOf(
      'livekit',
      { event: 'participant_left', createdAt: String(startedAt + 9), room, participant },
      { settings: { roleAttribute: 'role', deviceAttribute: 'device', externalIdAttribute: 'external' } },
    );
    expect(events.map(({ type }) => type)).toEqual(['room.client.joined', 'room.client.left']);
  });

  test('keeps the beginning of the name of a room, and no two rooms become one', async () => {
    const roomOf = async (name: string) => {
      const { events } = await eventsOf('jitsi', destroyed([], { room_name: name }));
      return new Set(events.map(({ data }) => (data as { roomName: string }).roomName));
    };
    const [one, same, other] = await Promise.all(['é'.repeat(512), 'é'.repeat(512), 'é'.repeat(513)].map(roomOf));
    expect(same).toEqual(one);
    expect(one).toHaveProperty('size', 1);
    expect([...(one ?? [])][0]).toMatch(/^\/é{220,}#[0-9a-f]{64}$/);
    expect(other).not.toEqual(one);
  });

  test('does not fill the row of a session of Daily', async () => {
    const participant = { room: 'standup', session_id: 's'.repeat(300), user_id: 'u', joined_at: startedAt + 1 };
    const at = new Date(startedAt * 1000).toISOString();
    const scene = {
      settings: { bucket: 'recordings-of-acme' },
      sessions: [{ roomName: '/standup', sessionId: 'm', startedAt: at, endedAt: null }],
    };
    const { deps, remembered } = sceneOf('daily', { type: 'participant.joined', payload: participant }, scene);
    await translateHook(deps, { connectionId, key }, noTimeLimit);
    expect(remembered).toMatchObject([{ sessionId: 'm', participants: {} }]);
  });

  test('takes numbers that JSON does not keep apart for no id', async () => {
    const body = `[{"occupant_jid":"a@m/r","joined_at":1,"id":9007199254740993},{"occupant_jid":"b@m/r","joined_at":1,"id":9007199254740992},{"occupant_jid":"c@m/r","joined_at":1,"id":41}]`;
    const { events } = await eventsOf('jitsi', destroyed(JSON.parse(body)));
    const people = events.filter(({ type }) => type === 'room.client.joined').map(({ data }) => data);
    expect(people).toMatchObject([
      { participantId: 'a' },
      { participantId: 'b' },
      { participantId: '41', userId: '41' },
    ]);
  });
});
