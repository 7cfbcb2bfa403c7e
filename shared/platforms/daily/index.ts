import type { Platform } from '../platform.ts';
import { DailySettings } from './settings.ts';
import { isAuthentic, isProbe } from './signature.ts';
import { roomOf, translate } from './translate.ts';

/** Daily: its signatures, payloads and their translation (docs/platforms/daily.md). */
export const daily: Platform = {
  name: 'daily',
  title: 'Daily',
  secretOrigin: 'generated',
  newSecret: (randomBytes) => randomBytes.toString('base64'), // the form in which Daily takes a secret
  settings: DailySettings,
  isProbe,
  isAuthentic,
  secretFields: ['share_token', 'download_link', 'access_link', 'token', 'hmac', 'basicAuth'],
  roomOf,
  translate,
};
