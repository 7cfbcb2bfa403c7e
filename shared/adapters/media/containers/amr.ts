import type { MediaFacts } from '#shared/domain/media/media-plan.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaSource } from '../media-source.ts';

/** The bytes of a frame of 20 ms by its type, with its header (RFC 4867, section 5.3). */
const narrowBand = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1];
const wideBand = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1];
const frameSeconds = 0.02;
/** About a minute of frames. The rest of a larger file is taken to be alike: it has no index and no length. */
const sampledBytes = 128 * 1024;

/** The facts of an AMR file. Its length is an estimate if the file has more than 128 KiB. */
export async function amrFacts(source: MediaSource): Promise<MediaFacts> {
  const window = await source.read(0, sampledBytes);
  const text = Buffer.from(window.bytes.buffer, window.bytes.byteOffset, 9).toString('latin1');
  const isWide = text.startsWith('#!AMR-WB\n');
  if (!isWide && !text.startsWith('#!AMR\n')) throw new MediaError('not_media', 'The AMR file has no header.');
  const frameBytes = isWide ? wideBand : narrowBand;
  const start = isWide ? 9 : 6;
  let position = start;
  let frames = 0;
  for (; position < window.bytes.byteLength; frames++) {
    position += frameBytes[((window.bytes[position] ?? 0) >> 3) & 15] ?? 1;
  }
  const seconds = frames === 0 ? 0 : (frames * frameSeconds * (source.bytes - start)) / (position - start);
  const audio = [{ codec: 'amr', channels: 1, sampleRate: isWide ? 16_000 : 8000, isEncrypted: false }];
  return { container: 'amr', bytes: source.bytes, seconds, audio, hasVideo: false };
}
