/** Texts of the view rooms. */
export const rooms = {
  title: 'Rooms',
} as const;
