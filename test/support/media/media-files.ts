import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import type { MediaTarget } from '#shared/adapters/media/media-target.ts';

/** A file in memory, and the ranges that were read of it. */
export function memoryFile(content: Uint8Array): MediaFile & { readonly ranges: [start: number, end: number][] } {
  const ranges: [number, number][] = [];
  return {
    bytes: content.byteLength,
    ranges,
    async readRange(start, end) {
      ranges.push([start, end]);
      return content.slice(start, end);
    },
  };
}

/** A file of a size whose bytes are made when they are read. */
export function generatedFile(bytes: number, fill: (start: number, end: number) => Uint8Array): MediaFile {
  return { bytes, readRange: async (start, end) => fill(start, end) };
}

/** A target in memory. `content` is undefined until the file is complete. */
export function memoryTarget(): MediaTarget & { content: Uint8Array | undefined; isAborted: boolean } {
  const chunks: { readonly data: Uint8Array; readonly position: number }[] = [];
  return {
    content: undefined,
    isAborted: false,
    async write(data, position) {
      chunks.push({ data: data.slice(), position });
    },
    async complete() {
      const bytes = Math.max(0, ...chunks.map(({ data, position }) => position + data.byteLength));
      this.content = new Uint8Array(bytes);
      for (const { data, position } of chunks) this.content.set(data, position);
      return bytes;
    },
    async abort() {
      this.isAborted = true;
    },
  };
}

/** Bytes that tell their offset in a file. */
export function numberedBytes(start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  for (let index = 0; index < bytes.byteLength; index++) bytes[index] = (start + index) % 251;
  return bytes;
}
