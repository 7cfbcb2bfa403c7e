const framesPerSecond = 50;
/** The header of a frame without data (RFC 4867), which is all of the frame. */
const noData = 0x7c;

/** A file of silence that Transcribe takes as it is, with 50 bytes a second. */
export function silentAmr(seconds: number): Buffer {
  return Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(seconds * framesPerSecond, noData)]);
}
