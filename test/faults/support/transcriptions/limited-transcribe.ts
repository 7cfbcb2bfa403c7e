import type { S3Client } from '@aws-sdk/client-s3';
import { StartTranscriptionJobCommand } from '@aws-sdk/client-transcribe';
import { serviceError } from '../process.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { FakeTranscribe } from './fake-transcribe.ts';

/** A call as Transcribe saw it. */
type SeenCall = { readonly command: string; readonly at: number; readonly error?: string };

/** The pause of the SDK after the first call that was refused. It doubles, and a random share of it counts. */
const sdkPauseMs = 500;

/**
 * Transcribe with both quotas that AWS documents, on a clock of the test: jobs at once, and starts in a second. A refused call counts too,
 * and so does each retry of the SDK.
 * https://docs.aws.amazon.com/general/latest/gr/transcribe.html
 */
export class LimitedTranscribe extends FakeTranscribe {
  readonly calls: SeenCall[] = [];
  private readonly clock: VirtualClock;
  private readonly quota: { readonly startsPerSecond: number };

  constructor(s3: S3Client, clock: VirtualClock, quota: { readonly startsPerSecond: number }) {
    super(s3);
    this.clock = clock;
    this.quota = quota;
  }

  /** The times of the starts, or of those that were refused with an error of this name. */
  starts(isWanted: (error: string | undefined) => boolean = () => true): number[] {
    const starts = this.calls.filter(({ command }) => command === StartTranscriptionJobCommand.name);
    return starts.filter(({ error }) => isWanted(error)).map(({ at }) => at);
  }

  protected override pauseAfter(failedAttempts: number): Promise<void> {
    return this.clock.pause(Math.random() * sdkPauseMs * 2 ** (failedAttempts - 1));
  }

  protected override answer(command: object): object {
    const seen = { command: command.constructor.name, at: this.clock.ms };
    try {
      if (command instanceof StartTranscriptionJobCommand) this.checkRate();
      const answer = super.answer(command);
      this.calls.push(seen);
      return answer;
    } catch (error) {
      this.calls.push({ ...seen, error: (error as Error).name });
      throw error;
    }
  }

  private checkRate(): void {
    const { ms } = this.clock;
    const ofSecond = this.starts().filter((at) => at > ms - 1000 && at <= ms);
    if (ofSecond.length >= this.quota.startsPerSecond) throw serviceError('ThrottlingException', 400, 'Rate exceeded');
  }
}

/** The most times that are within one second of each other. */
export function mostInASecond(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  let [most, first] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - 1000) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
