/** Node's compression, loaded when it is first used. It takes a twentieth of the time in which a function loads, and most calls need none. */
export const zlib = () => process.getBuiltinModule('node:zlib');

/** Most of what is stored compressed is shorter. Node would take 16 KiB of memory for each call. */
const chunkSize = 4096;

/** The text of what was compressed as a raw deflate stream. */
export function inflatedText(bytes: Uint8Array<ArrayBuffer>): string {
  return zlib().inflateRawSync(bytes, { chunkSize }).toString();
}
