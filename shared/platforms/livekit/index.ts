import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';

/** LiveKit: its signatures, payloads and their translation (docs/platforms/livekit.md). */
export const livekit: Platform = {
  name: 'livekit',
  title: 'LiveKit',
  secretOrigin: 'given-with-id',
  settings: z.strictObject({}),
  isAuthentic: () => false,
  secretFields: [],
  translate: () => ({ events: [] }),
};
