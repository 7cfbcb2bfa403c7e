import type { Platform } from '../platform.ts';
import { manifestOf } from './egress.ts';
import { LivekitSettings } from './settings.ts';
import { isSigned } from './signature.ts';
import { translate } from './translate.ts';

/** LiveKit: its signatures, payloads and their translation (docs/platforms/livekit.md). */
export const livekit: Platform = {
  name: 'livekit',
  title: 'LiveKit',
  secretOrigin: 'given-with-id',
  settings: LivekitSettings,
  isAuthentic: isSigned,
  // The password of the TURN server, and what requests of egress and ingress hold: keys of storage, streams and webhooks.
  secretFields: [
    ...['turnPassword', 'accessKey', 'secret', 'sessionToken', 'assumeRoleExternalId', 'credentials', 'accountKey'],
    ...['proxy', 'password', 'signingKey', 'streamKey', 'token', 'urls', 'url', 'websocketUrl', 'customBaseUrl'],
    ...['inboundPassword', 'outboundPassword'],
  ],
  manifestOf,
  translate,
};
