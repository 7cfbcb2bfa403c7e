import { expect, test, vi } from 'vitest';
import { inspectMedia } from '#shared/adapters/media/inspect-media.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { memoryFile } from '../../../support/media/media-files.ts';

vi.mock('#shared/adapters/media/mediabunny-input.ts', () => {
  throw new TypeError('The library does not run here.');
});

test('a library that cannot be loaded is no fault of the file, so the file is tried again', async () => {
  const file = memoryFile(Buffer.from('fLaC'.padEnd(64, '\0')));
  const error = await inspectMedia(file, AbortSignal.timeout(60_000)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(MediaError);
});
