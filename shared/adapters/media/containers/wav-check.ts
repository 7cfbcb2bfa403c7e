import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaSource } from '../media-source.ts';

/** Real files have a few chunks. A malicious file could have millions of empty ones. */
const mostChunks = 100;
/** Sizes that recorders write before they know the size: the file goes on to its end. */
const openSizes: readonly number[] = [0x7fffffff, 0xffffffff];

/** Throws a MediaError if a WAV file ends before the sound that its header declares. Transcribe fails such a file. */
export async function checkWav(source: MediaSource): Promise<void> {
  const head = await source.read(0, 12);
  const isLarge = Buffer.from(head.bytes.buffer, head.bytes.byteOffset, 4).toString('latin1') === 'RF64';
  let position = 12;
  for (let count = 0; count < mostChunks && position + 8 <= source.bytes; count++) {
    const { bytes, start } = await source.read(position, 8);
    const view = new DataView(bytes.buffer, bytes.byteOffset + position - start, 8);
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + position - start, 4).toString('latin1');
    const size = view.getUint32(4, true);
    const end = position + 8 + size;
    if (name === 'data') {
      if (!isLarge && !openSizes.includes(size) && end > source.bytes) break;
      return;
    }
    position = end + (size % 2);
  }
  throw new MediaError('truncated', 'The WAV file ends before its sound.');
}
