import { run } from '../client/run-program.ts';

/** One connection's sound in a recording: it begins so many seconds after the recording. */
export type EndpointSound = {
  readonly endpointId: string;
  readonly at: number;
  /** ffmpeg's arguments for the input. */
  readonly input: readonly string[];
};

/** Writes a Matroska file as Jitsi's multitrack recorder does: a track of Opus for each source, named by a tag with its endpoint. */
export async function writeMultitrack(file: string, sounds: readonly EndpointSound[], folder: string): Promise<void> {
  const inputs = sounds.flatMap(({ at, input }) => ['-itsoffset', String(at), ...input]);
  const tracks = sounds.flatMap(({ endpointId }, index) => [
    ...['-map', `${index}:a`, `-metadata:s:a:${index}`, `endpoint_id=${endpointId}`],
    ...[`-metadata:s:a:${index}`, `title=${endpointId}-${index + 1}`],
  ]);
  const coding = ['-c:a', 'libopus', '-b:a', '24k', '-ar', '48000', '-ac', '1'];
  const args = ['-nostdin', '-loglevel', 'error', '-y', ...inputs, ...tracks, ...coding, file];
  const { code, stderr } = await run('ffmpeg', args, { folder });
  if (code !== 0) throw new Error(`ffmpeg could not write ${file}: ${stderr}`);
}

/** The first track of a file, or the one of this number: the time and the hash of each packet. */
export async function packetsOf(file: string, folder: string, track = 0) {
  const shown = ['-show_entries', 'packet=pts_time,data_hash', '-show_data_hash', 'md5', '-of', 'json'];
  const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', `a:${track}`, ...shown, file], { folder });
  const { packets }: { packets: { pts_time: string; data_hash: string }[] } = JSON.parse(stdout);
  return { first: Number(packets[0]?.pts_time), hashes: packets.map(({ data_hash: hash }) => hash) };
}
