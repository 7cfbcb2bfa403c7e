import type { RecognitionCeiling } from '#shared/use-cases/ports.ts';

/** A ceiling in memory, without days and organizations. `counted` is the sum of the seconds that it counts. */
export class FakeCeiling implements RecognitionCeiling {
  counted = 0;
  readonly limit: number;

  constructor(limit = Number.MAX_SAFE_INTEGER) {
    this.limit = limit;
  }

  readonly take: RecognitionCeiling['take'] = async (_organizationId, seconds) => {
    const isExceeded = this.counted + seconds > this.limit;
    if (!isExceeded) this.counted += seconds;
    return { isExceeded, limit: this.limit, remaining: this.limit - this.counted, resetsAt: 1_772_409_600 };
  };

  readonly giveBack: RecognitionCeiling['giveBack'] = async (_organizationId, seconds) => {
    this.counted -= seconds;
  };
}
