import { beforeEach, expect, test } from 'vitest';
import { createHandler } from '#functions/workers/insights/settle-sessions/handler.ts';
import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { SettlingStore } from '#shared/use-cases/insights/ports.ts';
import { sessionRecord } from '../../support/insights/insight-records.ts';
import { at } from '../../support/insights/session-facts.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { uuid } from '../../support/operations/records.ts';

beforeEach(() => {
  captureLogLines();
});

const settling = { at: at('10:06'), by: at('10:15') };
const due = (count: number): SessionRecord[] =>
  Array.from({ length: count }, (_, index) =>
    sessionRecord({ roomSessionId: uuid(index), endedAt: at('10:00'), settling, told: { revision: 1 } }),
  );

/** Runs the worker over sessions at 10:06. `tell` can answer, or fail, in the place of the store. */
async function run(
  listed: readonly SessionRecord[],
  {
    stored = listed,
    tell,
    timeLeft = () => 60_000,
  }: {
    readonly stored?: readonly SessionRecord[];
    readonly tell?: (session: SessionRecord) => boolean;
    readonly timeLeft?: (told: number) => number;
  } = {},
) {
  const told: SessionRecord[] = [];
  const store: SettlingStore = {
    async *listDue() {
      yield* listed;
    },
    async settle(session) {
      told.push(session);
      return tell?.(session) ?? true;
    },
  };
  const find = async ({ roomSessionId }: { readonly roomSessionId: string }) =>
    stored.find((session) => session.roomSessionId === roomSessionId);
  const handler = createHandler({ settling: store, sessions: { find }, now: () => new Date(at('10:06')) });
  await handler({}, { getRemainingTimeInMillis: () => timeLeft(told.length) });
  return told;
}

test('tells every session that is due', async () => {
  const sessions = due(60);
  expect(await run(sessions)).toEqual(sessions);
});

test('skips a session that is not due any more, is due later, or is gone, although the index has it', async () => {
  const [one, later, told, gone] = due(4);
  if (!one || !later || !told || !gone) throw new Error('There are four.');
  const stored = [one, { ...later, settling: { ...settling, at: at('10:06:10') } }, { ...told, settling: undefined }];
  expect(await run([one, later, told, gone], { stored })).toEqual([one]);
});

test('goes on after a session that fails or was told by a faster run', async () => {
  const sessions = due(3);
  const tell = ({ roomSessionId }: SessionRecord) => {
    if (roomSessionId === uuid(0)) throw new Error('The store fails.');
    return roomSessionId !== uuid(1);
  };
  expect(await run(sessions, { tell })).toHaveLength(3);
});

test('stops in time, and leaves the others to the next run', async () => {
  const told = await run(due(100), { timeLeft: (done) => 60_000 - done * 1_500 });
  expect(told).toHaveLength(50);
});
