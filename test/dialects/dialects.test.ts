import { expect, it } from 'vitest';
import type { Dialect } from './dialect.ts';
import { meetingOf } from './meeting.ts';
import { bigbluebutton } from './platforms/bigbluebutton.ts';
import { daily } from './platforms/daily.ts';
import { jaas } from './platforms/jaas.ts';
import { jitsi } from './platforms/jitsi.ts';
import { livekit } from './platforms/livekit.ts';
import { whereby } from './platforms/whereby.ts';
import { connect, play, playNatively } from './play.ts';

// One meeting in the dialect of each platform: the insights are those of the same meeting in events of our own.

const count = Number(process.env.DIALECT_MEETINGS ?? 10);
const firstSeed = Number(process.env.DIALECT_SEED ?? Math.floor(Math.random() * 1_000_000_000));
const meetings = Array.from({ length: count }, (_, index) => meetingOf(firstSeed + index));

const dialects: Readonly<Record<string, Dialect>> = {
  livekit,
  daily,
  whereby,
  jaas,
  'jitsi with the ids of meetings': jitsi({ hasMeetingId: true }),
  'jitsi without the ids of meetings': jitsi({ hasMeetingId: false }),
  bigbluebutton,
};

const seeds = `seeds ${firstSeed} to ${firstSeed + count - 1}`;

it.each(Object.entries(dialects))(`%s tells the same as events of our own, ${seeds}`, async (_, dialect) => {
  expect(await play(await connect(dialect), meetings)).toBeUndefined();
  expect(await playNatively(dialect, meetings)).toBeUndefined();
});
