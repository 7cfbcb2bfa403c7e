import * as z from 'zod/mini';
import { runProgram } from './run-program.ts';

/** What ffprobe reports about the first audio stream of a file. */
export type AudioFacts = {
  sampleRate: number;
  channels: number;
  /** Undefined if the header does not state it. */
  durationSeconds: number | undefined;
};

const probed = z.object({
  streams: z.tuple([
    z.object({
      sample_rate: z.coerce.number().check(z.int(), z.positive()),
      channels: z.int().check(z.positive()),
      duration: z.optional(z.coerce.number().check(z.positive())),
    }),
  ]),
});

// ffprobe reads the first megabytes of a file only.
const timeoutMs = 60_000;

/** Reads the facts of the first audio stream. Returns undefined if the input has no audio or cannot be read. */
export async function probeAudio(
  ffprobe: string,
  input: readonly string[],
  signal: AbortSignal,
): Promise<AudioFacts | undefined> {
  const fields = ['-select_streams', 'a:0', '-show_entries', 'stream=sample_rate,channels,duration', '-of', 'json'];
  const { exitCode, output } = await runProgram(
    ffprobe,
    ['-loglevel', 'quiet', ...input, ...fields],
    AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  );
  signal.throwIfAborted();
  if (exitCode !== 0) return undefined;
  const { data } = probed.safeParse(JSON.parse(output));
  const stream = data?.streams[0];
  return stream && { sampleRate: stream.sample_rate, channels: stream.channels, durationSeconds: stream.duration };
}
