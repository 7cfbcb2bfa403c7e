import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf } from '#shared/contracts/message-ids.ts';
import { refusalOf } from '#shared/queue/refusal.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import { sqsRecord } from '../../../support/http/sqs-events.ts';

const [roomSessionId, recordingId] = ['0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10', '6d2f2b6e-5a41-4a53-9f3e-1b6f6f0a7c11'];
const event = {
  id: 'evt-1',
  type: 'room.client.joined',
  organizationId: 'acme',
  data: { roomSessionId, recordingId, displayName: 'Ann', comment: 'secret' },
};
const ids = (change: object) => idsOf(JSON.stringify({ ...event, ...change }));

describe('the ids of a message', () => {
  test('are those that can be read, and nothing else', () => {
    const { id: eventId, type, organizationId } = event;
    expect(ids({})).toEqual({ eventId, type, organizationId, roomSessionId, recordingId });
  });

  test('include that of a webhook', () => {
    expect(idsOf(JSON.stringify({ organizationId: 'acme', webhookId: recordingId }))).toEqual({
      ...{ organizationId: 'acme', webhookId: recordingId },
    });
    expect(ids({ webhookId: 'https://hooks.example' })).toEqual(ids({}));
    const refusal = refusalOf(sqsRecord({ ...event, webhookId: recordingId }), new UnreadableMessage([]));
    expect(refusal).toMatchObject({ eventId: 'evt-1' });
    expect(refusal).not.toHaveProperty('webhookId'); // events have none, so none is listed
  });

  test.each([
    ['organizationId', { organizationId: 'acme # other' }],
    ['organizationId', { organizationId: ['acme'] }],
    ['eventId', { id: 17 }],
    ['eventId', { id: '' }],
    ['type', { type: null }],
    ['type', { type: 'Ann Smith' }],
    ['type', { type: 'ann-smith' }],
    ['type', { type: 'room.client.joined\nroom.client.left' }],
    ['type', { type: `a.${'b'.repeat(33)}` }],
    ['roomSessionId', { data: { recordingId, roomSessionId: 'Ann Smith' } }],
    ['recordingId', { data: { roomSessionId, recordingId: { toString: 'x' } } }],
  ])('leave out an invalid %s: %j', (name, change) => {
    const { [name as keyof ReturnType<typeof ids>]: _, ...others } = ids({});
    expect(ids(change)).toEqual(others);
  });

  test.each(['', 'text', '7', 'null', '[]', '{"data":null}', '{"data":[]}', '{"__proto__":{"id":"x"}}'])(
    'are none for the message %j',
    (body) => expect(idsOf(body)).toEqual({}),
  );

  test('are cut, and forge neither lines nor hidden text', () => {
    const { eventId } = ids({ id: 'a\n{"level":"INFO"}\u202e\u2028\ud800z'.padEnd(5_000, 'y') });
    expect(eventId).toHaveLength(128);
    expect(eventId).toMatch(/^a\ufffd\{"level":"INFO"\}\ufffd\ufffd\ufffdzy+$/);
  });

  test('of any text are short, well-formed and on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), (text) => {
        const { eventId = '' } = idsOf(JSON.stringify({ id: text }));
        expect(eventId.length).toBeLessThanOrEqual(128);
        expect(eventId.isWellFormed()).toBe(true);
        expect(eventId).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
