// Functions that write notices need these, and not the schemas.

/** The version of the envelope and of the data of notices. */
export const noticeVersion = '1.0';

/** How the ids of notices begin, and those of tests. */
export const noticeIdPrefix = 'ntc_';

/** For how many days notices are kept, listed and replayed. */
export const noticeDays = 30;
