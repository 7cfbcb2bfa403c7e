import type { PlatformName } from '../contracts/platforms/connection.ts';
import { bigbluebutton } from './bigbluebutton/index.ts';
import { daily } from './daily/index.ts';
import { jaas } from './jaas/index.ts';
import { jitsi } from './jitsi/index.ts';
import { livekit } from './livekit/index.ts';
import type { Platform } from './platform.ts';
import { whereby } from './whereby/index.ts';

/** Every platform by its name. A new one is a folder and an entry here. */
export const platforms: Readonly<Record<PlatformName, Platform>> = {
  livekit,
  daily,
  whereby,
  jaas,
  jitsi,
  bigbluebutton,
};
