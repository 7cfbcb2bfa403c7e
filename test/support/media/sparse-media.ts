import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import { generatedFile } from './media-files.ts';

/** An EBML element. */
export function element(id: number, ...content: (Uint8Array | readonly number[])[]): Uint8Array {
  const data = Buffer.concat(content.map((part) => Uint8Array.from(part)));
  return Buffer.concat([idBytes(id), sizeBytes(data.byteLength), data]);
}

function idBytes(id: number): Uint8Array {
  return Buffer.from(id.toString(16).padStart(id > 0xffff ? (id > 0xffffff ? 8 : 6) : id > 0xff ? 4 : 2, '0'), 'hex');
}

/** A size in eight bytes, which any element may have. */
export function sizeBytes(size: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(size) | (1n << 56n));
  return bytes;
}

const opusHead = [...Buffer.from('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0];

/** The head of a live WebM: a segment of unknown size with one track of Opus, and no length. */
export function webmHead(docType = 'webm'): Uint8Array {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(48_000);
  const audio = element(0xe1, element(0xb5, rate), element(0x9f, [1]));
  const codec = [element(0x86, Buffer.from('A_OPUS')), element(0x63a2, opusHead)];
  const track = element(0xae, element(0xd7, [1]), element(0x83, [2]), ...codec, audio);
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, Buffer.from(docType))),
    idBytes(0x18538067),
    Buffer.alloc(8, 0xff).fill(1, 0, 1),
    element(0x1549a966, element(0x2ad7b1, [0x0f, 0x42, 0x40])),
    element(0x1654ae6b, track),
  ]);
}

const clusterSeconds = 20;
const blockMs = 20;

/**
 * A WebM as a recorder streams it, of any size: a cluster every 20 seconds, which begins with Opus packets of 20 ms and is
 * padded. The last packet of the file is in its last cluster.
 */
export function sparseWebm(seconds: number, clusterBytes = 200_000, packetsInCluster = 1): MediaFile {
  const head = webmHead();
  const clusters = Math.floor(seconds / clusterSeconds);
  const blocks = range(0, packetsInCluster).map((index) => {
    const ms = index * blockMs;
    return element(0xa3, [0x81, ms >> 8, ms & 255, 0x80, 0xf8, ...new Uint8Array(30).fill(1)]);
  });
  const template = Buffer.concat([
    idBytes(0x1f43b675),
    sizeBytes(clusterBytes - 12),
    element(0xe7, new Uint8Array(8)),
    ...blocks,
  ]);
  const padding = clusterBytes - template.byteLength - 9;
  const start = Buffer.concat([template, idBytes(0xec), sizeBytes(padding)]);
  const timeAt = 12 + 9; // after the headers of the cluster and of its timestamp
  return generatedFile(head.byteLength + clusters * clusterBytes, (from, to) => {
    const bytes = Buffer.alloc(to - from);
    head.subarray(from, to).forEach((byte, index) => {
      bytes[index] = byte;
    });
    const first = Math.max(0, Math.floor((from - head.byteLength) / clusterBytes));
    for (let index = first; index < clusters; index++) {
      const at = head.byteLength + index * clusterBytes - from;
      if (at >= bytes.byteLength) break;
      start.writeBigUInt64BE(BigInt(index * clusterSeconds * 1000), timeAt);
      if (at + start.byteLength > 0) start.copy(bytes, Math.max(0, at), Math.max(0, -at));
    }
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
