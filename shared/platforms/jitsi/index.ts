import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';

/** Jitsi: its signatures, payloads and their translation (docs/platforms/jitsi.md). */
export const jitsi: Platform = {
  name: 'jitsi',
  title: 'Jitsi',
  secretOrigin: 'generated',
  settings: z.strictObject({}),
  isAuthentic: () => false,
  secretFields: [],
  translate: () => ({ events: [] }),
};
