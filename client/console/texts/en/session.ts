/** Texts of the view session. */
export const session = {
  title: 'Session',
} as const;
