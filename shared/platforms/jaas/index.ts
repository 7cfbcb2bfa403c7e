import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';

/** Jitsi as a Service (JaaS): its signatures, payloads and their translation (docs/platforms/jaas.md). */
export const jaas: Platform = {
  name: 'jaas',
  title: 'Jitsi as a Service (JaaS)',
  secretOrigin: 'given',
  settings: z.strictObject({}),
  isAuthentic: () => false,
  secretFields: [],
  translate: () => ({ events: [] }),
};
