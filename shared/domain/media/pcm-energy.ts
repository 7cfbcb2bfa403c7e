/** -55 dB of full scale. Speech is louder, and so is the noise of most rooms: what is quieter was muted. */
const quietest = 10 ** (-55 / 20);

/** Every fourth sample is enough for an energy. */
const step = 4;

/** Whether PCM samples may hold speech: the root mean square of a packet is louder than -55 dB of full scale. */
export function pcmHasSpeech(codec: 'pcm-s16' | 'pcm-f32', data: Uint8Array): boolean {
  const samples = codec === 'pcm-s16' ? int16(data) : float32(data);
  const fullScale = codec === 'pcm-s16' ? 32_768 : 1;
  let sum = 0;
  let count = 0;
  for (let index = 0; index < samples.length; index += step) {
    const sample = samples[index] ?? 0;
    sum += sample * sample;
    count++;
  }
  return count > 0 && Math.sqrt(sum / count) / fullScale > quietest;
}

// Typed arrays need aligned bytes. A packet is a view into what was read, at any offset.
function int16(data: Uint8Array): Int16Array {
  const whole = data.byteLength & ~1;
  if (data.byteOffset % 2 === 0) return new Int16Array(data.buffer, data.byteOffset, whole / 2);
  return new Int16Array(data.slice(0, whole).buffer);
}

function float32(data: Uint8Array): Float32Array {
  const whole = data.byteLength & ~3;
  if (data.byteOffset % 4 === 0) return new Float32Array(data.buffer, data.byteOffset, whole / 4);
  return new Float32Array(data.slice(0, whole).buffer);
}
