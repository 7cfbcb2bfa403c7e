/** A time for which somebody spoke, as `room.client.spoke` has it. */
export type Interval = { readonly from: string; readonly to: string };

/** Collects when the participants of a room speak. Times are milliseconds since 1970. */
export class SpokenIntervals {
  readonly #speakingSince = new Map<string, number>();
  #spoken = new Map<string, Interval[]>();

  /** From this time on these participants speak, and no others. */
  change(speaking: readonly string[], at: number): void {
    for (const participantId of speaking)
      if (!this.#speakingSince.has(participantId)) this.#speakingSince.set(participantId, at);
    for (const participantId of this.#speakingSince.keys())
      if (!speaking.includes(participantId)) this.#stop(participantId, at);
  }

  /** Returns what was spoken until this time since it was called last. Those who still speak begin a new interval. */
  take(at: number): ReadonlyMap<string, readonly Interval[]> {
    const speaking = [...this.#speakingSince.keys()];
    this.change([], at);
    this.change(speaking, at);
    const spoken = this.#spoken;
    this.#spoken = new Map();
    return spoken;
  }

  #stop(participantId: string, at: number): void {
    const since = this.#speakingSince.get(participantId) ?? at;
    this.#speakingSince.delete(participantId);
    if (since >= at) return;
    const intervals = this.#spoken.get(participantId) ?? [];
    intervals.push({ from: new Date(since).toISOString(), to: new Date(at).toISOString() });
    this.#spoken.set(participantId, intervals);
  }
}
