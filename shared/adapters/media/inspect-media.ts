import { detectContainer, type Signature, signatureBytes } from '#shared/domain/media/media-container.ts';
import type { AudioFacts, MediaFacts } from '#shared/domain/media/media-plan.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { amrFacts } from './containers/amr.ts';
import { openMatroska } from './containers/matroska.ts';
import { openOggOpus } from './containers/ogg-opus.ts';
import type { OpenMedia } from './containers/packet-reader.ts';
import { checkWav } from './containers/wav-check.ts';
import { ofCall, ofFile } from './file-faults.ts';
import { headBudget, type MediaFile, type MediaSource, mediaSource, type ReadBudget } from './media-source.ts';

/** What was found out about a file, and what that took. */
type Inspection = { readonly facts: MediaFacts; readonly reads: number; readonly bytesRead: number };

/**
 * Finds out what a file is by its content: by its head, its tables and its end. Reads a file that Transcribe can read as it
 * is at most three times. Throws a MediaError for a file that is none, or is broken.
 */
export async function inspectMedia(
  file: MediaFile,
  signal: AbortSignal,
  budget: ReadBudget = headBudget(file.bytes),
): Promise<Inspection> {
  const source = mediaSource(file, budget, signal);
  try {
    const facts = await ofFile(() => factsOf(source));
    const { reads, bytes } = source.counted();
    return { facts, reads, bytesRead: bytes };
  } finally {
    source.close();
  }
}

async function factsOf(source: MediaSource): Promise<MediaFacts> {
  const signature = await signatureOf(source);
  if (signature === 'amr') return amrFacts(source);
  const media = await openMedia(source, signature);
  try {
    const [first, ...others] = media.facts.audio;
    if (!first) return media.facts;
    const setup = await setupOf(media, first);
    return setup === undefined ? media.facts : { ...media.facts, audio: [{ ...first, setup }, ...others] };
  } finally {
    media.close();
  }
}

/** What a decoder of AAC must know first. Other codecs whose files can be joined need nothing. */
async function setupOf(media: OpenMedia, { codec }: AudioFacts): Promise<string | undefined> {
  if (codec !== 'aac') return undefined;
  const { description } = await media.config(0);
  if (!description) return undefined;
  const bytes = ArrayBuffer.isView(description)
    ? Buffer.from(description.buffer, description.byteOffset, description.byteLength)
    : Buffer.from(description);
  return bytes.toString('base64');
}

async function signatureOf(source: MediaSource): Promise<Signature> {
  if (source.bytes === 0) throw new MediaError('truncated', 'The file is empty.');
  const { bytes } = await source.read(0, signatureBytes);
  const signature = detectContainer(bytes);
  if (!signature) throw new MediaError('not_media', 'The bytes are of no known container.');
  return signature;
}

/** Opens a file whose packets can be read: any but AMR. */
export async function openMedia(source: MediaSource, known?: Signature): Promise<OpenMedia> {
  const signature = known ?? (await signatureOf(source));
  if (signature === 'amr') throw new MediaError('unsupported_codec', 'AMR is not cut.');
  if (signature === 'ebml') return openMatroska(source);
  if (signature === 'wav') await checkWav(source);
  const opus = signature === 'ogg' ? await openOggOpus(source) : undefined;
  if (opus) return opus;
  const { openWithMediabunny } = await ofCall(() => import('./mediabunny-input.ts')); // late, because it is large, and few files need it
  return openWithMediabunny(source, signature === 'mp4');
}
