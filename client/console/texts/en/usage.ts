/** Texts of the view usage. */
export const usage = {
  title: 'Usage',
} as const;
