/** The contents of a WAV file. Defaults are those of the sample recording. */
export type WavParts = {
  samples: Buffer;
  codec?: number;
  bits?: number;
  channels?: number;
  sampleRate?: number;
  /** A wrong size for the header of the data chunk. */
  claimedBytes?: number;
};

/** Builds a WAV file with a plain 16-byte format chunk. */
export function buildWav({
  samples,
  codec = 1,
  bits = 16,
  channels = 1,
  sampleRate = 16_000,
  claimedBytes,
}: WavParts): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(codec, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE((sampleRate * channels * bits) / 8, 28);
  header.writeUInt16LE((channels * bits) / 8, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(claimedBytes ?? samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Builds a stereo file from two plain 16-bit mono 16 kHz WAV files of one length, one for each channel. */
export function stereoWav(...files: readonly [Buffer, Buffer]): Buffer {
  const [left, right] = files.map((file) => file.subarray(44)) as [Buffer, Buffer];
  const samples = Buffer.alloc(left.length * 2);
  for (let at = 0; at < left.length; at += 2) {
    left.copy(samples, at * 2, at, at + 2);
    right.copy(samples, at * 2 + 2, at, at + 2);
  }
  return buildWav({ samples, channels: 2 });
}

/** Cuts the part between two times out of a plain 16-bit mono 16 kHz WAV file. */
export function cutWav(wav: Buffer, fromSeconds: number, toSeconds: number): Buffer {
  const at = (seconds: number): number => 44 + Math.round(seconds * 16_000) * 2;
  return buildWav({ samples: wav.subarray(at(fromSeconds), at(toSeconds)) });
}
