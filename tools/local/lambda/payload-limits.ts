// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: 6 MB each way, plus some bytes for the response

/** The most bytes of an event. */
export const largestRequestBytes = 6 * 1024 * 1024;

/** The most bytes of an answer. */
export const largestResponseBytes = 6_291_556;
