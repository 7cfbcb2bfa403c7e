import { randomInt } from 'node:crypto';

/** What the test of random faults does. `npm run faults` passes its flags on in these variables. */
export const settingNames = {
  count: 'FAULTS_COUNT',
  transitions: 'FAULTS_TRANSITIONS',
  seed: 'FAULTS_SEED',
  replay: 'FAULTS_REPLAY',
  showsProgress: 'FAULTS_SHOWS_PROGRESS',
} as const;

/** Faults that `npm test` reaches. */
export const defaultCount = 1000;

/** Where histories are written that break an invariant. Git ignores it. */
export const replayFolder = '.faults';

/** The settings of this process. */
export const settings = {
  count: Number(process.env[settingNames.count] ?? defaultCount),
  /** Transitions to reach as well. */
  transitions: Number(process.env[settingNames.transitions] ?? 0),
  /** Set in the environment to repeat a run. */
  seed: Number(process.env[settingNames.seed] ?? randomInt(2 ** 31)),
  /** A file with a history that is played instead of random ones. */
  replay: process.env[settingNames.replay],
  /** Whether each history is reported to the reporter of `npm run faults`. */
  showsProgress: process.env[settingNames.showsProgress] !== undefined,
};
