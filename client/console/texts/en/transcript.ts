/** Texts of the view transcript. */
export const transcript = {
  title: 'Transcript',
} as const;
