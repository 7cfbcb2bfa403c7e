import { expect, test } from 'vitest';
import { generatedFile, memoryFile } from '../../../support/media/media-files.ts';
import { prepared } from '../../../support/media/prepared-pieces.ts';
import { element, webmHead } from '../../../support/media/sparse-media.ts';

const cluster = (seconds: number) =>
  element(0x1f43b675, element(0xe7, [seconds >> 8, seconds & 255]), element(0xa3, [0x81, 0, 0, 0x80, 0xf8, 1, 2]));
const head = Buffer.concat([webmHead(), cluster(0)]);
const large = 2e9;
const plan = { kind: 'prepare', output: 'ogg', pieces: [{ from: 0, to: 3600 }] } as const;

test('the time is also over while a reader looks for the next packet in gigabytes without one', async () => {
  let reads = 0;
  const file = generatedFile(large, (start, end) => {
    reads++;
    const bytes = new Uint8Array(end - start);
    bytes.set(head.subarray(start, end));
    if (end === large) bytes.set(cluster(9), bytes.byteLength - cluster(9).byteLength);
    return bytes;
  });
  const { outcome, pieces, targets } = await prepared(file, {}, { plan, hasTimeLeft: () => reads < 10 });
  expect([outcome.isFinished, pieces, targets.get(0)?.isAborted]).toEqual([false, [], true]);
  expect(reads).toBe(10);
});

test('a call that hangs until the signal times out ends the turn, and is no fault of the file', async () => {
  const signal = AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  const { outcome } = await prepared(memoryFile(head), {}, { plan, signal });
  expect(outcome.isFinished).toBe(false);
});
