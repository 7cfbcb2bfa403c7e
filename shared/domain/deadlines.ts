const minute = 60_000;
const hour = 60 * minute;

/** A job that has not been started after this long lost its message: the reconciler sends it again. */
const startWithinMs = 2 * minute;
/** Transcribe is done in less than the recording's own length; on top of that it may queue. */
const finishWithinMs = 10 * minute;
/** The least pause between two questions; it grows with the age of what is asked after. */
const askAgainAfterMs = 5 * minute;
/** Past this a transcription whose job does not start, or does not end, is given up. */
const jobGivenUpAfterMs = 24 * hour;
/** Past this one whose job has ended is given up too: its output cannot be read, however often it is tried. */
const outputGivenUpAfterMs = 72 * hour;
/** From the arrival of its first event: the longest live session, and a day for its last event to arrive. */
const liveGivenUpAfterMs = 48 * hour;
/** Longer than any message can wait: seven days in a queue, fourteen in its dead-letter queue, and once more after a redrive. */
const tombstoneKeptForMs = 60 * 24 * hour;

const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms).toISOString();

/** When the reconciler looks at a transcription, and when it gives one up. */
export const deadlines = {
  jobStart: (now: Date) => after(now, startWithinMs),
  jobStartAfterPause: (now: Date, pauseSeconds: number) => after(now, pauseSeconds * 1000 + startWithinMs),
  jobEnd: (now: Date, recordingSeconds: number) => after(now, finishWithinMs + recordingSeconds * 1000),
  nextQuestion: (now: Date, since: Date) =>
    after(now, Math.max(askAgainAfterMs, (now.getTime() - since.getTime()) / 4)),
  liveEnd: (now: Date) => after(now, liveGivenUpAfterMs),
  isGivenUp: (createdAt: string, now: Date, jobHasEnded: boolean) =>
    now.getTime() - Date.parse(createdAt) > (jobHasEnded ? outputGivenUpAfterMs : jobGivenUpAfterMs),
  tombstoneExpiry: (now: Date) => Math.ceil((now.getTime() + tombstoneKeptForMs) / 1000),
};

const firstBusyPauseSeconds = 5;
/** The longest that SQS delays a message. */
const maxBusyPauseSeconds = 900;

/** How long to wait for Transcribe after it was too busy `attempt` times before: doubling, with half of it jitter. */
export function busyPauseSeconds(attempt: number): number {
  const ceiling = Math.min(firstBusyPauseSeconds * 2 ** attempt, maxBusyPauseSeconds);
  return Math.ceil(ceiling / 2 + (Math.random() * ceiling) / 2);
}
