import { expect, test } from 'vitest';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { noTimeLimit } from '#shared/runtime/time-left.ts';
import { type Attempt, untilCommitted } from '#shared/use-cases/common/until-committed.ts';

/** Plays these outcomes, the last one again and again. Returns the pauses and the number of attempts. */
async function play(outcomes: readonly Attempt[], assertTimeLeft: (attempts: number) => void = noTimeLimit) {
  const pausesMs: number[] = [];
  let attempts = 0;
  const attempt = async () => outcomes[attempts++] ?? outcomes.at(-1) ?? 'done';
  const pause = async (ms: number) => void pausesMs.push(ms);
  const error = await untilCommitted(attempt, { assertTimeLeft: () => assertTimeLeft(attempts), pause }).catch(
    (reason: unknown) => reason,
  );
  return { pauses: pausesMs.length, attempts, error };
}

test('parts follow each other without a pause, in any number', async () => {
  const parts = Array.from({ length: 200 }, (): Attempt => 'more-to-do');
  expect(await play([...parts, 'done'])).toEqual({ pauses: 0, attempts: 201, error: undefined });
});

test('a lost race is followed by a pause and another attempt, also between parts', async () => {
  const outcomes: Attempt[] = ['lost-race', 'more-to-do', 'lost-race', 'lost-race', 'more-to-do', 'done'];
  expect(await play(outcomes)).toEqual({ pauses: 3, attempts: 6, error: undefined });
});

test('the last of 30 lost races ends in an error, so that the message is retried', async () => {
  const { pauses, attempts, error } = await play(['lost-race']);
  expect([pauses, attempts]).toEqual([29, 30]);
  expect(error).toBeInstanceOf(ServiceUnavailable);
});

test('no part is begun without time, and no attempt after a lost race', async () => {
  const late = new Error('too late');
  for (const outcome of ['more-to-do', 'lost-race'] as const) {
    const { attempts, error } = await play([outcome], (made) => {
      if (made === 3) throw late;
    });
    expect([attempts, error]).toEqual([3, late]);
  }
});
