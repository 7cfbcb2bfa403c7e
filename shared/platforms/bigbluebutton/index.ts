import type { Platform } from '../platform.ts';
import { readForm } from './payload.ts';
import { BigbluebuttonSettings } from './settings.ts';
import { isAuthentic } from './signature.ts';
import { translate } from './translate.ts';

/** BigBlueButton: its signatures, payloads and their translation (docs/platforms/bigbluebutton.md). */
export const bigbluebutton: Platform = {
  name: 'bigbluebutton',
  title: 'BigBlueButton',
  secretOrigin: 'given',
  settings: BigbluebuttonSettings,
  isAuthentic,
  read: readForm,
  secretFields: ['moderator-pass', 'viewer-pass', 'moderatorPass', 'viewerPass', 'password', 'checksum', 'metadata'],
  translate,
};
