import type { MediaContainer, MediaFacts } from '#shared/domain/media/media-plan.ts';
import type { Inspected } from '#shared/domain/media/planned-file.ts';

/** What was found out about a file of these facts: by default, ten minutes of PCM in WAV. */
export function inspected(facts: Partial<MediaFacts> & { readonly codec?: string } = {}) {
  const { container = 'wav' as MediaContainer, bytes = 1000, seconds = 600, codec = 'pcm-s16', ...others } = facts;
  const audio = [{ codec, channels: 1, sampleRate: 16_000, isEncrypted: false }];
  const file = { bucket: 'recordings', key: 'daily/1.wav', bytes, etag: '"1"' };
  return { file, facts: { container, bytes, seconds, audio, hasVideo: false, ...others } } satisfies Inspected;
}
