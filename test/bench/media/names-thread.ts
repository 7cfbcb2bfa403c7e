import { parentPort, workerData } from 'node:worker_threads';
import { nameSpeakers } from '#shared/domain/speakers/name-speakers.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { type Judgement, judge } from '../../support/meetings/judge.ts';
import { type SeededMeeting, seededMeeting } from '../../support/meetings/seeded-meeting.ts';

// A thread of the benchmark of names. It names the meetings of its games, and answers with what came of each.

/** Seeded meetings, and how far off their feeds are. */
export type Game = {
  readonly what: string;
  readonly firstSeed: number;
  readonly count: number;
  readonly lags: { readonly from: number; readonly to: number };
};

/** A meeting, and how its names were judged. */
export type Judged = Judgement & Pick<SeededMeeting, 'seed' | 'people' | 'lagSeconds' | 'minutes' | 'traits'>;

parentPort?.postMessage((workerData as readonly Game[]).map(play));

function play({ what, firstSeed, count, lags }: Game): Judged[] {
  const progress = openProgress(process.stderr);
  const judged: Judged[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const meeting = seededMeeting(seed, lags);
    const { people, lagSeconds, minutes, traits } = meeting;
    judged.push({ seed, people, lagSeconds, minutes, traits, ...judge(meeting, nameSpeakers(meeting.items, meeting)) });
    if (judged.length % 100 === 0) progress.show(`Naming meetings with ${what}`, judged.length, count);
  }
  progress.end();
  return judged;
}
