/** The bytes of a sample of each PCM codec, by the codec's name. */
export const pcmSampleBytes: Readonly<Record<string, number>> = {
  'pcm-u8': 1,
  'pcm-s16': 2,
  'pcm-s24': 3,
  'pcm-s32': 4,
  'pcm-f32': 4,
  'pcm-f64': 8,
  ulaw: 1,
  alaw: 1,
};
