/** Texts of the view participant. */
export const participant = {
  title: 'Participant',
} as const;
