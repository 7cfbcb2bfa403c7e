import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';

/** Daily: its signatures, payloads and their translation (docs/platforms/daily.md). */
export const daily: Platform = {
  name: 'daily',
  title: 'Daily',
  secretOrigin: 'given',
  settings: z.strictObject({}),
  isAuthentic: () => false,
  secretFields: [],
  translate: () => ({ events: [] }),
};
