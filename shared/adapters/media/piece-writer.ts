import {
  EncodedAudioPacketSource,
  EncodedPacket,
  FlacOutputFormat,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  StreamTarget,
  WavOutputFormat,
} from 'mediabunny';
import type { AudioFacts, OutputContainer } from '#shared/domain/media/media-plan.ts';
import { type TimeMap, timeMapBuilder } from '#shared/domain/media/media-time-map.ts';
import { type SilenceRules, silenceGate } from '#shared/domain/media/silence-gate.ts';
import { ofCall } from './file-faults.ts';
import type { Heard } from './heard-packets.ts';
import { type MediaTarget, partBytes } from './media-target.ts';
import './silent-mediabunny.ts';

/** A written piece: its size, the stretch of the original that its packets are from, and where they went. */
export type WrittenPiece = {
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
  readonly map: TimeMap;
};

const formats = {
  flac: () => new FlacOutputFormat(),
  mp3: () => new Mp3OutputFormat(),
  mp4: () => new Mp4OutputFormat({ fastStart: false }),
  ogg: () => new OggOutputFormat(),
  wav: () => new WavOutputFormat(),
} satisfies Record<OutputContainer, () => unknown>;

/** Waiting for each packet would cost more than writing it. */
const packetsAtOnce = 64;

/** A file that packets are copied into: see `pieceWriter`. */
export type PieceWriter = ReturnType<typeof pieceWriter>;

/** Copies packets into a file, without silence and holes. Nothing is written before the first packet that stays. */
export function pieceWriter(
  output: OutputContainer,
  audio: AudioFacts,
  config: AudioDecoderConfig,
  target: MediaTarget,
  rules: SilenceRules,
) {
  const gate = silenceGate<Heard>(rules);
  const map = timeMapBuilder(-skippedSeconds(audio, config));
  const source = new EncodedAudioPacketSource(audio.codec as ConstructorParameters<typeof EncodedAudioPacketSource>[0]);
  let started: Promise<Output> | undefined;
  let pending: Promise<void>[] = [];
  let failure: unknown;
  let outTime = 0;
  let to = 0;

  const begin = async (): Promise<Output> => {
    const stream = new WritableStream({ write: ({ data, position }) => ofCall(() => target.write(data, position)) });
    const file = new Output({
      format: formats[output](),
      target: new StreamTarget(stream, { chunked: true, chunkSize: partBytes }),
    });
    file.addAudioTrack(source);
    await file.start();
    return file;
  };
  const add = ({ data, at, seconds }: Heard, meta?: EncodedAudioChunkMetadata) => {
    map.add(at, seconds);
    to = at + seconds;
    const packet = new EncodedPacket(data, 'key', outTime, seconds);
    outTime += seconds;
    const added = source.add(packet, meta);
    pending.push(added.catch(fail));
  };
  const fail = (error: unknown) => {
    failure ??= error;
  };
  const write = (packet: Heard): Promise<void> | undefined => {
    if (!started) return writeFirst(packet);
    add(packet);
    return pending.length < packetsAtOnce ? undefined : settle();
  };
  const writeFirst = async (packet: Heard) => {
    started = begin();
    await started;
    add(packet, { decoderConfig: config });
  };
  const settle = async () => {
    const added = pending;
    pending = [];
    await Promise.all(added);
    if (failure !== undefined) throw failure;
  };

  return {
    /** Takes the next packet. Returns a promise if packets have to be waited for. */
    push(packet: Heard): Promise<void> | undefined {
      const out = gate.push(packet);
      const [only] = out;
      if (!only) return undefined;
      return out.length === 1 ? write(only) : writeAll(out, write);
    },
    /** Ends the file. Undefined if no packet stayed: then there is no file. */
    async complete(): Promise<WrittenPiece | undefined> {
      if (!started) return undefined;
      await settle();
      await (await started).finalize();
      const bytes = await ofCall(() => target.complete());
      return { bytes, from: map.entries[0]?.[1] ?? 0, to, map: map.entries };
    },
    /** Discards the file. */
    async abort(): Promise<void> {
      await Promise.allSettled(pending);
      await (await started?.catch(() => undefined))?.cancel().catch(() => undefined);
      await target.abort();
    },
  };
}

async function writeAll(packets: readonly Heard[], write: (packet: Heard) => Promise<void> | undefined) {
  for (const packet of packets) await write(packet);
}

/** What a decoder of Opus leaves out at the beginning of a file (RFC 7845, section 5.1): every piece begins with it. */
function skippedSeconds({ codec }: AudioFacts, { description }: AudioDecoderConfig): number {
  if (codec !== 'opus' || !description) return 0;
  const head = ArrayBuffer.isView(description) ? description : new Uint8Array(description);
  return new DataView(head.buffer, head.byteOffset, head.byteLength).getUint16(10, true) / 48_000;
}
