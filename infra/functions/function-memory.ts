/** With this memory, in megabytes, Lambda gives a function a whole processor, and with less a share of one. */
export const wholeProcessorMb = 1769;

/** The memory of a function for which no other is set, in megabytes (docs/decisions/0023-bundles-and-memory.md). */
export const usualMemoryMb = 512;

/** The memory of the authorizer. A first request with a token waits for it, and its own first check takes 21 ms of a processor. */
export const authorizerMemoryMb = wholeProcessorMb;
