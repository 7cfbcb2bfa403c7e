import {
  ADTS,
  CustomSource,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
} from 'mediabunny';
import type { AudioFacts, MediaContainer } from '#shared/domain/media/media-plan.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { adtsSeconds } from './containers/adts.ts';
import { hasTableSamples, isEncrypted, type Mp4Movie, mostTracks, mp4Movie } from './containers/mp4-movie.ts';
import { fragmentedSeconds, samplePackets, tableSeconds } from './containers/mp4-samples.ts';
import type { MediaSource } from './media-source.ts';
import './silent-mediabunny.ts';
import { pcmFrameBytes } from './containers/packet-length.ts';
import { type OpenMedia, type PacketReader, skipUntil } from './containers/packet-reader.ts';

/** The formats that mediabunny reads here, in the order in which they are tried. An ID3 tag may stand before three of them. */
const formats: readonly (readonly [MediaContainer, InputFormat])[] = [
  ['mp4', MP4],
  ['quicktime', QTFF],
  ['wav', WAVE],
  ['ogg', OGG],
  ['flac', FLAC],
  ['mp3', MP3],
  ['adts', ADTS],
];

/** Windows are kept by the source. mediabunny keeps two of them in reach, so that it finds most packets without a promise. */
const cacheBytes = 16 * 1024 ** 2;

/** Opens an MP4, QuickTime, WAV, Ogg, FLAC, MP3 or AAC file. */
export async function openWithMediabunny(source: MediaSource, isMp4: boolean): Promise<OpenMedia> {
  const movie = isMp4 ? await mp4Movie(source) : undefined;
  if (movie?.audio[0] && isEncrypted(movie.view, movie.audio[0])) {
    throw new MediaError('encrypted', 'The audio is encrypted.');
  }
  const movieSeconds = movie && (await secondsOf(source, movie));
  const input = new Input({ formats: formats.map(([, format]) => format), source: inputSource(source) });
  const format = await input.getFormat();
  const container = formats.find(([, known]) => known === format)?.[0];
  if (!container) throw new MediaError('not_media', 'The container is not known.');
  const tracks = await input.getAudioTracks();
  // mediabunny also finds tracks within boxes that have none.
  if (tracks.length > mostTracks) throw new MediaError('unreadable', 'The file has too many tracks.');
  const audio = await Promise.all(tracks.map(factsOf));
  const [track] = tracks;
  const seconds = movieSeconds ?? (track ? await lengthOf(input, track, source) : 0);
  return {
    facts: { container, bytes: source.bytes, seconds, audio, hasVideo: movie?.hasVideo ?? false },
    async config(number) {
      const config = await tracks[number]?.getDecoderConfig();
      if (!config) throw new MediaError('unsupported_codec', 'The codec has no configuration.');
      return config;
    },
    async packetsFrom(number, from) {
      const chosen = tracks[number];
      if (!chosen) throw new MediaError('no_audio', 'The file has no such audio track.');
      const samples = movie?.audio.length === tracks.length && !movie.isFragmented ? movie.audio[number] : undefined;
      if (movie && samples) return samplePackets(source, movie, samples, from, pcmFrameBytes(await factsOf(chosen)));
      if (movie?.audio.some((one) => hasTableSamples(movie.view, one))) {
        throw new MediaError('unreadable', 'The file has samples both in tables and in fragments.');
      }
      return skipUntil(await packetsOf(chosen, from), from);
    },
    close() {
      input.dispose();
      source.close();
    },
  };
}

/** Lets mediabunny read through the windows of a source: it takes all of a window, also beyond what it asked for. */
function inputSource(source: MediaSource): CustomSource {
  return new CustomSource({
    getSize: () => source.bytes,
    maxCacheSize: cacheBytes,
    // The read that failed throws the error. Without this, mediabunny would also throw it where nothing catches it.
    handleUnhandledError: () => undefined,
    async read(start, end) {
      const window = await source.read(start, end - start);
      const bytes = window.bytes.subarray(start - window.start);
      return new ReadableStream({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    },
  });
}

async function factsOf(track: InputAudioTrack): Promise<AudioFacts> {
  return {
    codec: (await track.getCodec()) ?? undefined,
    channels: await track.getNumberOfChannels(),
    sampleRate: await track.getSampleRate(),
    isEncrypted: false,
  };
}

/** The length by the header, or by the last packet. AAC without a container has no index: its length is an estimate. */
async function lengthOf(input: Input, track: InputAudioTrack, source: MediaSource): Promise<number> {
  if ((await input.getFormat()) === ADTS) return adtsSeconds(source, await track.getSampleRate());
  return (await input.getDurationFromMetadata([track])) ?? (await input.computeDuration([track]));
}

async function secondsOf(source: MediaSource, movie: Mp4Movie): Promise<number> {
  const [track] = movie.audio;
  if (!track) return 0;
  const seconds = tableSeconds(movie, track);
  return movie.isFragmented && seconds === 0 ? ((await fragmentedSeconds(source, movie, track)) ?? 0) : seconds;
}

async function packetsOf(track: InputAudioTrack, from: number): Promise<PacketReader> {
  const sink = new EncodedPacketSink(track);
  // `sink.packets()` reads ahead through a queue and costs more a packet than asking for each.
  let current = (from > 0 ? await sink.getPacket(from) : null) ?? (await sink.getFirstPacket());
  let isFirst = true;
  return {
    async next() {
      if (!isFirst && current) current = await sink.getNextPacket(current);
      isFirst = false;
      return current ? { data: current.data, at: current.timestamp, seconds: current.duration } : undefined;
    },
  };
}
