import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { MediaFile } from '#shared/adapters/media/media-source.ts';

const speech = fileURLToPath(new URL('../../../tools/local/sample/recording.wav', import.meta.url));

/** Makes a file of some hours of speech, AAC in MKV, in a folder: two minutes are coded, and repeated. Returns its path. */
export async function makeSpeech(folder: string, hours: number): Promise<string> {
  const [short, long] = [path.join(folder, 'short.mkv'), path.join(folder, 'long.mkv')];
  await ffmpeg('-stream_loop', '-1', '-i', speech, '-c:a', 'aac', '-ar', '48000', '-b:a', '48k', '-t', '120', short);
  await ffmpeg('-stream_loop', String(hours * 30 - 1), '-i', short, '-map', '0', '-c', 'copy', long);
  return long;
}

async function ffmpeg(...args: string[]): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
}

/** A file on disk, read in ranges. */
export async function diskFile(file: string): Promise<MediaFile & { readonly close: () => Promise<void> }> {
  const handle = await open(file);
  const { size } = await handle.stat();
  return {
    bytes: size,
    async readRange(start, end) {
      const bytes = new Uint8Array(end - start);
      await handle.read(bytes, 0, bytes.byteLength, start);
      return bytes;
    },
    close: () => handle.close(),
  };
}
