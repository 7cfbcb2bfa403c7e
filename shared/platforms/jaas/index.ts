import * as z from 'zod/mini';
import type { Platform } from '../platform.ts';
import { isAuthentic } from './signature.ts';
import { translate } from './translate.ts';

/** JaaS, Jitsi as a service by 8x8: its signatures, payloads and their translation (docs/platforms/jaas.md). */
export const jaas: Platform = {
  name: 'jaas',
  title: 'JaaS',
  secretOrigin: 'given',
  problemOfSecret: ({ value }) =>
    /^whsec_[^\s]{8,}$/.test(value) ? undefined : 'must begin with whsec_, and have at least 8 characters after it',
  settings: z.strictObject({}),
  isAuthentic,
  secretFields: ['preAuthenticatedLink', 'preAuthenticatedLinkV2', 'statsUrl', 'avatar', 'avatarUrl', 'avatarURL'],
  translate,
};
