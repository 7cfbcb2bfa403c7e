/** A file that is written from front to back. Its first part can be patched until the end, where headers hold lengths. */
export type MediaTarget = {
  readonly write: (data: Uint8Array, position: number) => Promise<void>;
  /** Makes the file visible, and returns its size. */
  readonly complete: () => Promise<number>;
  /** Discards what was written. */
  readonly abort: () => Promise<void>;
};

/** The size of the parts in which a target takes the file. S3 takes at most 10 000 parts of at least 5 MiB: 80 GB. */
export const partBytes = 8 * 1024 ** 2;
