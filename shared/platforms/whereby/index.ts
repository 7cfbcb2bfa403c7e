import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';
import { isAuthentic } from './signature.ts';
import { roomOf, translate } from './translate.ts';

/** Whereby: its signatures, payloads and their translation (docs/platforms/whereby.md). */
export const whereby: Platform = {
  name: 'whereby',
  title: 'Whereby',
  secretOrigin: 'given',
  settings: z.strictObject({}),
  isAuthentic,
  secretFields: ['accessLink', 'hostRoomUrl', 'viewerRoomUrl', 'roomKey', 'token'],
  roomOf,
  translate,
};
