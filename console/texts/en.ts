import { common } from './en/common.ts';
import { failures } from './en/failures.ts';
import { participant } from './en/participant.ts';
import { room } from './en/room.ts';
import { rooms } from './en/rooms.ts';
import { session } from './en/session.ts';
import { timeWindow } from './en/time-window.ts';
import { transcript } from './en/transcript.ts';
import { transcriptions } from './en/transcriptions.ts';
import { usage } from './en/usage.ts';
import { webhook, webhooks } from './en/webhooks.ts';

/** All texts of the console in English, by view. */
export const texts = {
  common,
  failures,
  rooms,
  room,
  session,
  participant,
  transcriptions,
  transcript,
  usage,
  webhooks,
  timeWindow,
  webhook,
} as const;
