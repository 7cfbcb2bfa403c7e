import { open } from 'node:fs/promises';

const riffHeaderBytes = 12;
const chunkHeaderBytes = 8;
// Real files have a few chunks. A malicious file could have millions of empty ones.
const maxChunks = 1000;

/**
 * Whether a WAV file holds all the sound that its header declares, and any at all. ffmpeg does not detect this: it
 * decodes a truncated file without an error, and reads to the end of the file if the declared length is too large.
 */
export async function isCompleteWav(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(chunkHeaderBytes);
    let offset = riffHeaderBytes;
    for (let chunk = 0; chunk < maxChunks && offset + chunkHeaderBytes <= size; chunk += 1) {
      await file.read(header, 0, chunkHeaderBytes, offset);
      const length = header.readUInt32LE(4);
      const end = offset + chunkHeaderBytes + length;
      if (end > size) return false;
      if (header.toString('latin1', 0, 4) === 'data') return length > 0;
      offset = end + (length % 2);
    }
    return false;
  } finally {
    await file.close();
  }
}
