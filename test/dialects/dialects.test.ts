import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';
import { views } from './differences.ts';
import { effects, lossEffects } from './differences-table.ts';
import { type Meeting, meetingOf, meetingsWithOneLoss, onlyTheEndOf } from './meeting.ts';
import { attendanceOf, connect, differenceFrom, play, playNatively, untilHandled } from './play.ts';

// One meeting in the dialect of each platform: the insights are those of the same meeting in events of our own.

const count = Number(process.env.DIALECT_MEETINGS ?? 4);
const firstSeed = Number(process.env.DIALECT_SEED ?? Math.floor(Math.random() * 900_000_000));
const random = Array.from({ length: count }, (_, index) => meetingOf(firstSeed + index));
/** Those that are sent in events of our own, too. A few are enough: the recount stands for both. */
const natively = random.slice(0, 4);
const withOneLoss = meetingsWithOneLoss();
const [lossless] = withOneLoss;
const endAlone = onlyTheEndOf(meetingOf(firstSeed + count));
/** Of which people alone are heard. */
const peopleAlone: Meeting = { ...meetingOf(firstSeed + count + 1), lost: new Set(['start', 'end']) };

type Played = { readonly organizationId: string; readonly nativeOrganizationId: string };
const played = new Map<Dialect, Played>();

/** Only Jitsi's end tells the joins and leaves again. */
function meetingsOf({ platform }: Dialect): readonly Meeting[] {
  const always = [...random, ...withOneLoss.map(({ meeting }) => meeting), peopleAlone];
  return platform === 'jitsi' ? [...always, endAlone] : always;
}

// All dialects at once, so that the machine never waits for a test. What is read afterwards has settled.
beforeAll(async () => {
  await Promise.all(
    Object.values(dialects).map(async (dialect) => {
      const connected = await connect(dialect);
      await play(connected, meetingsOf(dialect));
      const nativeOrganizationId = await playNatively(dialect, natively);
      played.set(dialect, { organizationId: connected.organizationId, nativeOrganizationId });
    }),
  );
  await untilHandled();
}, 3_600_000);

describe.each(Object.entries(dialects))(`%s, seeds ${firstSeed} to ${firstSeed + count + 1}`, (_, dialect) => {
  const ofDialect = () => {
    const found = played.get(dialect);
    if (!found) throw new Error('The meetings were not played.');
    return found;
  };

  it('tells the same as events of our own', async () => {
    const { organizationId, nativeOrganizationId } = ofDialect();
    expect(await differenceFrom(dialect, organizationId, meetingsOf(dialect))).toBeUndefined();
    expect(await differenceFrom(dialect, nativeOrganizationId, natively)).toBeUndefined();
  });

  it.each(withOneLoss.slice(1))('has the published effect of a lost $loss', async ({ loss, meeting }) => {
    if (!loss || !lossless) return;
    const { organizationId } = ofDialect();
    const [whole, heard] = [
      await attendanceOf(organizationId, lossless.meeting),
      await attendanceOf(organizationId, meeting),
    ];
    expect(whole?.missing).toEqual([]);
    expect(effectOf(whole, heard)).toBe(lossEffects[loss](views[dialect.platform]));
  });
});

type Attendance = Awaited<ReturnType<typeof attendanceOf>>;

function effectOf(whole: Attendance, heard: Attendance): string {
  if (!heard) return 'no session';
  const { figures, missing } = heard;
  if (isDeepStrictEqual(figures, whole?.figures)) return missing.length === 0 ? effects.none : effects.filled(missing);
  if (missing.length > 0) return effects.said(missing);
  return figures.endedAt === null ? effects.open : effects.unsaid;
}
