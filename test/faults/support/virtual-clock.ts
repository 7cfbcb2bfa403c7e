/** A clock that moves only when somebody pauses on it, or the test sets it. Those who pause at the same time wait one after the other. */
export class VirtualClock {
  ms: number;

  constructor(start: Date) {
    this.ms = start.getTime();
  }

  readonly now = (): Date => new Date(this.ms);

  readonly pause = async (ms: number): Promise<void> => {
    this.ms += ms;
  };
}
