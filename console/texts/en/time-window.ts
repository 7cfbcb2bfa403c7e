/** Texts of the buttons that choose a range of time. */
export const timeWindow = {
  label: 'Range of time',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  earlier: 'Earlier',
  later: 'Later',
  whole: 'Whole session',
  keys: 'Keys: + and − zoom, ← and → move, 0 shows all.',
  shown: 'Shown:',
  until: 'to',
} as const;
