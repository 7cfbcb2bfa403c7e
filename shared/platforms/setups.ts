import type { PlatformName } from '../contracts/platforms/connection.ts';
import { setup as bigbluebutton } from './bigbluebutton/setup.ts';
import { setup as daily } from './daily/setup.ts';
import { setup as jaas } from './jaas/setup.ts';
import { setup as jitsi } from './jitsi/setup.ts';
import { setup as livekit } from './livekit/setup.ts';
import type { Setup } from './setup.ts';
import { setup as whereby } from './whereby/setup.ts';

/** The lines for the configuration of each platform. They are apart from `platforms`, so that no function carries them. */
export const setups: Readonly<Record<PlatformName, Setup>> = { livekit, daily, whereby, jaas, jitsi, bigbluebutton };
