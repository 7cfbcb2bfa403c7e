import { MediaError } from '#shared/domain/media/media-refusal.ts';
import type { MediaPacket, OpenMedia, PacketReader } from './containers/packet-reader.ts';
import { ofFile } from './file-faults.ts';
import { openMedia } from './inspect-media.ts';
import { type MediaFile, type MediaSource, mediaSource, wholeBudget } from './media-source.ts';

/** A file of a stretch, and where it begins: seconds from the beginning of the first file. */
export type PlacedMedia = { readonly file: MediaFile; readonly offset: number };

/** Files that are read as one. `counted` is what has been read of all of them. */
export type JoinedMedia = OpenMedia & { readonly counted: () => { readonly reads: number; readonly bytes: number } };

type OpenFile = { readonly index: number; readonly media: OpenMedia; readonly source: MediaSource };

/** Timestamps of containers are rounded to a millisecond. */
const toleranceSeconds = 0.01;

/** Opens files that follow each other as if they were one. At most one of them is open at a time. The first one says what they are. */
export async function openJoined(files: readonly PlacedMedia[], signal: AbortSignal): Promise<JoinedMedia> {
  const closed = { reads: 0, bytes: 0 };
  let current: OpenFile | undefined;

  const close = () => {
    if (!current) return;
    const { reads, bytes } = current.source.counted();
    closed.reads += reads;
    closed.bytes += bytes;
    current.media.close();
    current.source.close();
    current = undefined;
  };
  const open = async (index: number): Promise<OpenMedia> => {
    if (current?.index === index) return current.media;
    close();
    const { file } = files[index] ?? {};
    if (!file) throw new Error('A stretch has at least one file.');
    const source = mediaSource(file, wholeBudget(file.bytes), signal);
    try {
      current = { index, source, media: await ofFile(() => openMedia(source)) };
    } catch (error) {
      source.close();
      throw error;
    }
    return current.media;
  };

  const first = await open(0);
  const { facts } = first;
  const configs = new Map<number, Promise<AudioDecoderConfig>>();
  return {
    facts,
    config(track) {
      const config = configs.get(track) ?? open(0).then((media) => media.config(track));
      configs.set(track, config);
      return config;
    },
    async packetsFrom(track, seconds) {
      const start = Math.max(
        0,
        files.findLastIndex(({ offset }) => offset <= seconds),
      );
      const readerOf = async (index: number): Promise<PacketReader> => {
        const media = await open(index);
        if (media.facts.audio[track]?.codec !== facts.audio[track]?.codec) {
          throw new MediaError('unsupported_codec', 'The files of a stretch have different codecs.');
        }
        const reader = await media.packetsFrom(track, Math.max(0, seconds - (files[index]?.offset ?? 0)));
        return shifted(reader, files[index]?.offset ?? 0);
      };
      const reader = await readerOf(start);
      return files.length === 1 ? reader : following(reader, start, files.length, readerOf);
    },
    counted() {
      const { reads, bytes } = current?.source.counted() ?? { reads: 0, bytes: 0 };
      return { reads: closed.reads + reads, bytes: closed.bytes + bytes };
    },
    close,
  };
}

/** The packets of a file at their times in the stretch. */
function shifted(reader: PacketReader, offset: number): PacketReader {
  if (offset === 0) return reader;
  const shift = (packet: MediaPacket | undefined) => packet && { ...packet, at: packet.at + offset };
  return {
    next() {
      const found = reader.next();
      return found instanceof Promise ? found.then(shift) : shift(found);
    },
  };
}

/** Reads one file after the other. Packets that lie before the end of what was read are skipped, so that times never go back. */
function following(
  first: PacketReader,
  start: number,
  count: number,
  readerOf: (index: number) => Promise<PacketReader>,
): PacketReader {
  let [reader, index, end] = [first, start, Number.NEGATIVE_INFINITY];
  const accept = (packet: MediaPacket | undefined): MediaPacket | undefined | Promise<MediaPacket | undefined> => {
    if (!packet) return index + 1 < count ? nextFile() : undefined;
    if (packet.at < end - toleranceSeconds) return next();
    end = packet.at + packet.seconds;
    return packet;
  };
  const nextFile = async () => {
    reader = await readerOf(++index);
    return next();
  };
  const next = () => {
    const found = reader.next();
    return found instanceof Promise ? found.then(accept) : accept(found);
  };
  return { next };
}
