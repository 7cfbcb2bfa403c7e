import { MediaError } from '#shared/domain/media/media-refusal.ts';

/** An element in memory has a few dozen others. A malicious file could have millions of empty ones. */
const mostElements = 1000;

/** The header of an EBML element. `size` is undefined if the element goes on until another one of its level. */
type ElementHeader = { readonly id: number; readonly size: number | undefined; readonly bytes: number };

/** The longest header: 4 bytes of id and 8 of size. */
export const longestHeader = 12;

/** Reads the header of an element (RFC 8794). Undefined if the bytes are none, or too few. */
export function elementHeader(bytes: Uint8Array, at: number): ElementHeader | undefined {
  const first = bytes[at];
  if (first === undefined || first < 0x10) return undefined;
  const idBytes = Math.clz32(first) - 23;
  if (at + idBytes > bytes.byteLength) return undefined;
  let id = 0;
  for (let index = 0; index < idBytes; index++) id = id * 256 + (bytes[at + index] ?? 0);
  const size = variableInteger(bytes, at + idBytes);
  if (!size) return undefined;
  const isUnknown = size.value === 2 ** (7 * size.bytes) - 1;
  return { id, size: isUnknown ? undefined : size.value, bytes: idBytes + size.bytes };
}

/** Reads an integer of variable length, without its marker. */
export function variableInteger(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly bytes: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.byteLength) return undefined;
  let value = first & ((1 << (8 - length)) - 1);
  for (let index = 1; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return { value, bytes: length };
}

/** An element that is in memory as a whole. */
export type Element = { readonly id: number; readonly data: Uint8Array };

/** The elements within an element that is in memory. Stops at one that is not whole. Throws a MediaError for more than a real file has. */
export function* elementsIn(data: Uint8Array): Generator<Element> {
  let at = 0;
  let count = 0;
  for (let header = elementHeader(data, at); header; header = elementHeader(data, at)) {
    if (++count > mostElements) throw new MediaError('unreadable', 'An element of the file has too many others.');
    const start = at + header.bytes;
    const end = start + (header.size ?? data.byteLength - start);
    if (end > data.byteLength) return;
    yield { id: header.id, data: data.subarray(start, end) };
    at = end;
  }
}

/** The value of an unsigned integer. */
export function unsigned(data: Uint8Array): number {
  let value = 0;
  for (const byte of data.subarray(0, 8)) value = value * 256 + byte;
  return value;
}

/** The value of a floating point number of four or eight bytes. */
export function float(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.byteLength === 8) return view.getFloat64(0);
  return data.byteLength === 4 ? view.getFloat32(0) : 0;
}

/** The value of a string. */
export function text(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, Math.min(data.byteLength, 256))
    .toString('latin1')
    .replace(/\0+$/, '');
}
