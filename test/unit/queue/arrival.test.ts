import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/workers/platforms/record-room-events/handler.ts';
import { arrivalOf, queuedAtOf } from '#shared/queue/arrival.ts';
import { firstSentAttribute } from '#shared/runtime/names.ts';
import { sqsRecord } from '../../support/http/sqs-events.ts';
import { at, ended } from '../../support/insights/session-facts.ts';
import { watchedStore } from '../../support/insights/watched-insights.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

let lines: () => readonly LogLine[];
beforeEach(() => {
  lines = captureLogLines().lines;
});

const dayMs = 86_400_000;
const sentAt = new Date(at('12:00'));
const days = (count: number) => new Date(sentAt.getTime() + count * dayMs);

/** A message that a redrive has sent again. */
function redriven(body: unknown, firstSentAt: Date, again: Date) {
  const attribute = { stringValue: String(firstSentAt.getTime()), dataType: 'Number' } as const;
  return { ...sqsRecord(body, { sentAt: again }), messageAttributes: { [firstSentAttribute]: attribute } };
}

describe('the arrival of a message', () => {
  test('is when it was sent, or first sent before a redrive', () => {
    expect(arrivalOf(sqsRecord({}, { sentAt }))).toEqual(sentAt);
    expect(arrivalOf(redriven({}, sentAt, days(20)))).toEqual(sentAt);
  });

  test('counts as lag from when it came into the queue, which a redrive starts anew and a turn does not', () => {
    const queuedAt = { stringValue: String(days(20).getTime()), dataType: 'Number' } as const;
    const { messageAttributes, ...rest } = redriven({}, sentAt, days(21));
    expect(queuedAtOf({ messageAttributes, ...rest })).toEqual(days(21));
    expect(queuedAtOf({ messageAttributes: { ...messageAttributes, queuedAt }, ...rest })).toEqual(days(20));
  });

  test('ignores an attribute that cannot be true', () => {
    for (const claimed of [days(1), days(-61), new Date(Number.NaN)])
      expect(arrivalOf(redriven({}, claimed, sentAt))).toEqual(sentAt);
  });
});

describe('an event whose time is far from its arrival', () => {
  const { deps, session } = watchedStore();
  const unexpected = () => Promise.reject(new Error('unexpected'));
  const handler = createHandler({
    ...deps,
    queue: { sqs: { send: async () => ({}) }, url: 'url' },
    timeBounds: { daysAhead: 1, daysBack: 365 },
    registration: { register: unexpected, claimFiles: unexpected, storeTrack: unexpected },
    transcriptions: { beginLive: unexpected, endLive: unexpected },
    files: { removeLive: unexpected },
    transcriptsBucket: 'none',
  });
  const isRefused = async (record: ReturnType<typeof sqsRecord>) =>
    (await handler({ Records: [record] })).batchItemFailures.length === 1;

  test('is refused with a reason, changes nothing, and does not disturb its batch', async () => {
    const wrong = sqsRecord(
      { ...ended('12:00'), createdAt: '9998-12-31T00:00:00.000Z' },
      { sentAt, messageId: 'wrong' },
    );
    const right = sqsRecord(ended('11:00'), { sentAt });
    expect(await handler({ Records: [wrong, right] })).toEqual({ batchItemFailures: [{ itemIdentifier: 'wrong' }] });
    expect(session()).toMatchObject({ endedAt: at('11:00') });
    expect(lines().map(({ facts }) => facts)).toContainEqual(
      expect.objectContaining({
        type: 'room.session.ended',
        issues: 'createdAt must be at most 1 days after it was sent',
      }),
    );
  });

  test('gets the same answer from a redrive days later', async () => {
    const ahead = ended(days(2).toISOString());
    const back = ended(days(-364).toISOString());
    for (const again of [sentAt, days(10), days(28)]) {
      expect(await isRefused(redriven(ahead, sentAt, again))).toBe(true);
      expect(await isRefused(redriven(back, sentAt, again))).toBe(false);
    }
  });
});
