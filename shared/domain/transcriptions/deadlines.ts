const minute = 60_000;
const hour = 60 * minute;

/**
 * If a job has not started after this time, the reconciler assumes that its message was lost, and sends it again. In a burst of a thousand
 * transcriptions, the last message waits for up to five minutes.
 */
const startWithinMs = 5 * minute;
/** The same for a message that waits for a busy Transcribe. It was stored by SQS, and comes back into a queue that can be long. */
const startAfterPauseWithinMs = 15 * minute;
/** If the preparation of media has not gone on after this time, the reconciler assumes that its message was lost. Longer than a turn of it. */
const prepareWithinMs = 20 * minute;
/** The time after the start, in addition to the length of the recording, at which the reconciler first checks a job. It allows for waiting in Transcribe's queue. */
const finishWithinMs = 10 * minute;
/** The shortest pause between two checks of a transcription. The pause grows with the transcription's age. */
const askAgainAfterMs = 5 * minute;
/** After this time a transcription whose job has not started or not ended is set to failed, by the reconciler or by start-transcription. */
const jobGivenUpAfterMs = 24 * hour;
/** After this time it gives up a transcription whose job has ended, but whose output repeatedly cannot be read. */
const outputGivenUpAfterMs = 72 * hour;
/** Longer than a worker takes from reading a part to the last of three attempts to start its job, each of which has three seconds. */
const startEndsWithinMs = 15_000;
/** No run that prepares media lasts this long. */
const preparationEndsWithinMs = 16 * minute;
/** If parts were not merged after this time, the reconciler assumes that the message was lost. It allows for waiting in the queue. */
const mergeWithinMs = 10 * minute;
/** Counted from the arrival of the first event: the longest live session, plus a day in which its last event may arrive. */
const liveGivenUpAfterMs = 48 * hour;
/** Longer than any message can wait: 14 days from its sending, also as a dead letter, and the same again after each of three redrives. */
export const tombstoneKeptForMs = 60 * 24 * hour;

const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms).toISOString();

/** Longer than a transcription can be in progress, and then be deleted. */
const partRowKeptForMs = 30 * 24 * hour;

/** When the reconciler checks a transcription, when a transcription is given up, and when a tombstone or the row of a link expires. */
export const deadlines = {
  jobStart: (now: Date) => after(now, startWithinMs),
  jobStartAfterPause: (now: Date, pauseSeconds: number) => after(now, pauseSeconds * 1000 + startAfterPauseWithinMs),
  preparation: (now: Date) => after(now, prepareWithinMs),
  jobEnd: (now: Date, recordingSeconds: number) => after(now, finishWithinMs + recordingSeconds * 1000),
  nextQuestion: (now: Date, since: Date) =>
    after(now, Math.max(askAgainAfterMs, (now.getTime() - since.getTime()) / 4)),
  /** When the reconciler sends the message again that merges the parts. */
  merge: (now: Date) => after(now, mergeWithinMs),
  /** True if every worker has ended that has read the part before its job was started, and could start a second one under the same name. */
  isStartOver: (jobStartedAt: string, now: Date) => now.getTime() - Date.parse(jobStartedAt) > startEndsWithinMs,
  /** When a work is first checked that nobody waits for, and whose media may be being prepared. */
  leftPreparation: (now: Date) => after(now, preparationEndsWithinMs),
  /** When a job that nobody waits for is first checked. A worker that was about to start it has ended by then. */
  leftJob: (now: Date) => after(now, askAgainAfterMs),
  liveEnd: (now: Date) => after(now, liveGivenUpAfterMs),
  isGivenUp: (createdAt: string, now: Date, jobHasEnded: boolean) =>
    now.getTime() - Date.parse(createdAt) > (jobHasEnded ? outputGivenUpAfterMs : jobGivenUpAfterMs),
  tombstoneExpiry: (now: Date) => Math.ceil((now.getTime() + tombstoneKeptForMs) / 1000),
  partRowExpiry: (now: Date) => Math.ceil((now.getTime() + partRowKeptForMs) / 1000),
  /** A row of an expired link is kept for a day, in which support can find it. */
  linkRowExpiry: (validUntil: string) => Math.ceil((Date.parse(validUntil) + 24 * hour) / 1000),
};

const firstBusyPauseSeconds = 5;
/** The longest delay of a message that SQS supports. */
const maxBusyPauseSeconds = 900;

/** The pause before the next start, if Transcribe was also busy in `attempt` earlier starts. The pause doubles each time. Half of it is fixed, and `jitter` (0 to 1) scales the other half. */
export function busyPauseSeconds(attempt: number, jitter: number): number {
  const ceiling = Math.min(firstBusyPauseSeconds * 2 ** attempt, maxBusyPauseSeconds);
  return Math.ceil(ceiling / 2 + (jitter * ceiling) / 2);
}

/**
 * Whether a start that AWS denies is not tried again after `denials` earlier ones in a row. Those took minutes, and a permission of IAM reaches
 * all of AWS in less: https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency.
 */
export function isDeniedForGood(denials: number): boolean {
  return denials >= 6;
}
