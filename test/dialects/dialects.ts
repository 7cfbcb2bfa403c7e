import type { Dialect } from './dialect.ts';
import { bigbluebutton } from './platforms/bigbluebutton.ts';
import { daily } from './platforms/daily.ts';
import { jaas } from './platforms/jaas.ts';
import { jitsi } from './platforms/jitsi.ts';
import { livekit } from './platforms/livekit.ts';
import { whereby } from './platforms/whereby.ts';

/** Every dialect by its name. */
export const dialects: Readonly<Record<string, Dialect>> = {
  livekit,
  daily,
  whereby,
  jaas,
  'jitsi with the ids of meetings': jitsi({ hasMeetingId: true }),
  'jitsi without the ids of meetings': jitsi({ hasMeetingId: false }),
  bigbluebutton,
};
