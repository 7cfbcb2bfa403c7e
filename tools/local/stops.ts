/** What must be stopped, in the order of starting; stopped in the opposite order. */
export class Stops {
  readonly #stops: (() => Promise<void> | void)[] = [];
  #stopping: Promise<void> | undefined;

  /** Remembers how to stop something that has started; what starts while all else stops is stopped at once. */
  async add(stop: () => Promise<void> | void): Promise<void> {
    if (this.#stopping !== undefined) await stop();
    else this.#stops.push(stop);
  }

  /** Waits for something to start, and remembers how to stop it. */
  async keep<Started extends { readonly stop: () => Promise<void> }>(starting: Promise<Started>): Promise<Started> {
    const started = await starting;
    await this.add(() => started.stop());
    return started;
  }

  /** Stops everything, once; one failure keeps nothing else running and is thrown in the end. */
  run(): Promise<void> {
    this.#stopping ??= this.#runAll();
    return this.#stopping;
  }

  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const stop of this.#stops.reverse()) {
      try {
        await stop();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Some parts did not stop as they should.');
  }
}
