/** The zone in which times are shown: that of the reader's browser, or UTC. */
export type Zone = 'local' | 'utc';
