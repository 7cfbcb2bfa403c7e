import { type FileHandle, open } from 'node:fs/promises';

/** Samples a second of every file. */
export const sampleRate = 48_000;
const bytesPerSample = 2;
const headerBytes = 44;
const unknownLength = 0xffffffff;

/** How long samples may be late before the missing time is written as silence. */
const toleratedLagMs = 200;
/** How long late samples are held back, to tell a gap from samples that were only handed over late. */
const holdMs = 500;
const silence = new Uint8Array(sampleRate * bytesPerSample);

/**
 * A WAV file of one channel of 16 bit that grows while samples arrive. A stretch without samples becomes silence, so that a time in the
 * file is a time since `startedAt`. It keeps half a second in memory, and until it is closed, its header says that the length is unknown.
 */
export class WavFile {
  readonly path: string;
  /** When the first sample was spoken, in milliseconds since 1970. Undefined until there is one. */
  startedAt: number | undefined;
  readonly #file: FileHandle;
  #samples = 0;
  #held: { readonly samples: Int16Array; readonly at: number; readonly lag: number }[] = [];

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Creates a file. */
  static async create(path: string): Promise<WavFile> {
    const file = await open(path, 'wx');
    await file.write(header(unknownLength));
    return new WavFile(path, file);
  }

  /** The end of the last sample, in milliseconds since 1970. */
  get endedAt(): number {
    return (this.startedAt ?? 0) + milliseconds(this.#samples);
  }

  /** Adds samples whose last one was received at `at`. */
  async add(samples: Int16Array, at: number): Promise<void> {
    this.startedAt ??= at - milliseconds(samples.length);
    const held = milliseconds(this.#held.reduce((sum, each) => sum + each.samples.length, 0));
    const lag = at - this.endedAt - held - milliseconds(samples.length);
    this.#held.push({ samples, at, lag });
    if (lag <= toleratedLagMs) return this.#release();
    const [first] = this.#held;
    if (first && at - first.at >= holdMs) await this.#release({ silentMs: lag });
  }

  /** Writes what it still holds, and the length. Returns the number of bytes. */
  async close(): Promise<number> {
    await this.#release({ silentMs: this.#held.at(-1)?.lag });
    const bytes = this.#samples * bytesPerSample;
    await this.#file.write(header(bytes), 0, headerBytes, 0);
    await this.#file.close();
    return headerBytes + bytes;
  }

  async #release({ silentMs = 0 } = {}): Promise<void> {
    const held = this.#held;
    this.#held = [];
    let left = Math.round((silentMs * sampleRate) / 1000);
    for (; left > 0; left -= sampleRate)
      await this.#write(silence.subarray(0, Math.min(left, sampleRate) * bytesPerSample));
    for (const { samples } of held) await this.#write(bytesOf(samples));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#file.appendFile(bytes);
    this.#samples += bytes.length / bytesPerSample;
  }
}

function milliseconds(samples: number): number {
  return (samples * 1000) / sampleRate;
}

function bytesOf({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** http://soundfile.sapp.org/doc/WaveFormat/ */
function header(dataBytes: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(Math.min(dataBytes + headerBytes - 8, unknownLength), 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20); // PCM
  bytes.writeUInt16LE(1, 22); // one channel
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * bytesPerSample, 28);
  bytes.writeUInt16LE(bytesPerSample, 32);
  bytes.writeUInt16LE(bytesPerSample * 8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(dataBytes, 40);
  return bytes;
}
