import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { createHandler } from '#functions/workers/delete-transcriptions/handler.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { isDeleted } from '#shared/domain/transcription.ts';
import { answering } from '../../support/fake-client.ts';
import { FakeStore } from '../../support/fake-store.ts';
import { organizationId, transcriptionRecord, uuid } from '../../support/records.ts';
import { sqsEvent } from '../../support/sqs-events.ts';

const acme = organizationId('acme');
const rival = organizationId('rival');
const queue = { sqs: answering(new SQSClient({ region: 'eu-west-1' })).client, url: 'url' };
const idsOf = (first: number, count: number) => Array.from({ length: count }, (_, index) => uuid(first + index));
const never = new Promise<never>(() => {});

/** Stored transcriptions, a first-in-first-out queue, and a clock that each deletion moves on by `deletionMs`. */
function scene({ deletionMs = 40 } = {}) {
  const store = new FakeStore();
  const messages: BulkDeleteMessage[] = [];
  const sends: { readonly group: string; readonly delaySeconds: number | undefined }[] = [];
  let clock = Date.parse('2026-03-01T10:00:00.000Z');
  const handler = createHandler({
    queue,
    transcriptions: store.transcriptions,
    files: store.filesOf,
    jobs: store.jobsOf,
    now: () => new Date(clock),
    bulkDeletes: {
      send: async (group, sent, { delaySeconds } = {}) => {
        await store.meanwhile('send', store.calls.length);
        messages.push(...structuredClone(sent));
        sends.push({ group, delaySeconds });
      },
    },
  });
  /** Passes on the clock with each deletion. Runs before each call to the store. */
  const withClock =
    (meanwhile: FakeStore['meanwhile']): FakeStore['meanwhile'] =>
    async (call, count) => {
      if (call === 'find') clock += deletionMs;
      await meanwhile(call, count);
    };
  store.meanwhile = withClock(() => {});
  const ask = (owner: typeof acme, transcriptionIds: string[]) => {
    for (const transcriptionId of transcriptionIds) {
      store.put(transcriptionRecord({ organizationId: owner, transcriptionId, state: 'ready' }));
    }
    messages.push({ organizationId: owner, transcriptionIds });
  };
  return {
    store,
    messages,
    sends,
    ask,
    meanwhile: (next: FakeStore['meanwhile']) => {
      store.meanwhile = withClock(next);
    },
    /** Handles the oldest message. A failed message stays at the end of the queue. */
    deliver: async () => {
      const message = messages.shift();
      const { batchItemFailures } = await handler(sqsEvent(message));
      if (batchItemFailures.length > 0 && message) messages.push(message);
      return batchItemFailures.length;
    },
    left: (owner: typeof acme) =>
      [...store.rows.values()].filter((row) => row.organizationId === owner && !isDeleted(row)).length,
  };
}

describe('a bulk delete', () => {
  test('gives up its place after a turn, so that a later one of another organization waits for one turn only', async () => {
    const { ask, deliver, left, sends } = scene({ deletionMs: 40 });
    ask(acme, idsOf(1, 50));
    ask(rival, [uuid(99)]);

    await deliver();
    expect([left(acme), left(rival)]).toEqual([47, 1]);
    await deliver();
    expect([left(acme), left(rival)]).toEqual([47, 0]);

    expect(sends).toEqual([{ group: 'acme', delaySeconds: 0 }]);
  });

  test('deletes one transcription in a turn if that takes longer than the turn', async () => {
    const { ask, deliver, left, messages } = scene({ deletionMs: 5000 });
    ask(acme, idsOf(1, 3));
    for (const expected of [2, 1, 0]) {
      await deliver();
      expect(left(acme)).toBe(expected);
    }
    expect(messages).toEqual([]);
  });

  test('goes on past an id that fails, which becomes a message of its own', async () => {
    const { ask, deliver, left, messages, meanwhile, sends, store } = scene({ deletionMs: 30 });
    ask(acme, idsOf(1, 9));
    const bad = uuid(2);
    store.files.set(`generated/acme/${bad}/${bad}.md`, 'text');
    meanwhile((call) => {
      const isBad = store.calls.filter((each) => each === 'find').length === 2;
      if (call === 'removeAllOf' && isBad && messages.length === 0) throw new Error('no');
    });

    await deliver();

    expect(messages.map(({ transcriptionIds }) => transcriptionIds)).toEqual([idsOf(5, 5), [bad]]);
    expect(sends).toEqual([{ group: 'acme', delaySeconds: 10 }]);
    meanwhile(() => {});
    while (messages.length > 0) await deliver();
    expect(left(acme)).toBe(0);
  });

  test('fails if all of its ids fail, so that SQS retries it and keeps it as a dead letter', async () => {
    const { ask, deliver, messages, meanwhile, sends } = scene();
    ask(acme, idsOf(1, 2));
    meanwhile(() => {
      throw new Error('no');
    });
    expect(await deliver()).toBe(1);
    expect([messages.length, sends]).toEqual([1, []]);
  });

  test('deletes every id if the worker dies before or after any of its calls and its message comes again', async () => {
    for (let call = 1; call <= 20; call++) {
      const { ask, deliver, left, messages, meanwhile } = scene({ deletionMs: 60 });
      ask(acme, idsOf(1, 4));
      const [message] = messages;
      const killed = Promise.withResolvers<void>();
      let calls = 0;
      meanwhile(() => {
        calls += 1;
        if (calls < call) return;
        killed.resolve();
        return never;
      });
      await Promise.race([deliver(), killed.promise]);
      meanwhile(() => {});
      if (calls >= call && message) messages.push(message);

      while (messages.length > 0) await deliver();

      expect(left(acme)).toBe(0);
    }
  });
});
