import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';

/** BigBlueButton: its signatures, payloads and their translation (docs/platforms/bigbluebutton.md). */
export const bigbluebutton: Platform = {
  name: 'bigbluebutton',
  title: 'BigBlueButton',
  secretOrigin: 'given',
  settings: z.strictObject({}),
  isAuthentic: () => false,
  secretFields: [],
  translate: () => ({ events: [] }),
};
