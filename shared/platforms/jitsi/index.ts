import type { Platform } from '../platform.ts';
import { JitsiSettings } from './settings.ts';
import { isAuthentic } from './signature.ts';
import { roomOf, translate } from './translate.ts';

/** Jitsi with Prosody's event_sync: its authentication, payloads and their translation (docs/platforms/jitsi.md). */
export const jitsi: Platform = {
  name: 'jitsi',
  title: 'Jitsi',
  secretOrigin: 'generated',
  settings: JitsiSettings,
  isAuthentic,
  secretFields: ['avatar', 'avatarURL', 'token'],
  roomOf,
  translate,
};
