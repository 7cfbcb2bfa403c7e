import type { Setup } from '../setup.ts';

/** What to enter in the console of JaaS (docs/platforms/jaas.md). */
export const setup: Setup = ({ url }) => `In the console of JaaS, under Webhooks, add an endpoint:

  Endpoint URL   ${url}
  Event types    ROOM_CREATED, ROOM_DESTROYED, PARTICIPANT_JOINED, PARTICIPANT_LEFT,
                 RECORDING_STARTED, RECORDING_ENDED, LIVE_STREAM_STARTED, LIVE_STREAM_ENDED,
                 DIAL_IN_STARTED, DIAL_IN_ENDED, DIAL_OUT_STARTED, DIAL_OUT_ENDED,
                 SIP_CALL_IN_STARTED, SIP_CALL_IN_ENDED, SIP_CALL_OUT_STARTED, SIP_CALL_OUT_ENDED,
                 FEEDBACK, USAGE, SPEAKER_STATS

JaaS then shows the secret of the webhook, which begins with whsec_. Give all of it to the connection.`;
