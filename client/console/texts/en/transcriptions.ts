/** Texts of the view transcriptions. */
export const transcriptions = {
  title: 'Transcriptions',
} as const;
