import type { Reporter, TestCase } from 'vitest/node';
import { openProgress } from '#tools/shared/progress-bar.ts';

/** The parts of an annotation that the reporter reads. */
type Annotation = { readonly type: string; readonly message: string };

/** Shows the progress of `npm run faults`, and at the end the faults, the duration and what is broken. */
export class FaultsReporter implements Reporter {
  private readonly progress = openProgress();
  private readonly count: number;
  private table = '';

  constructor(count: number) {
    this.count = count;
  }

  onTestCaseReady({ name }: TestCase): void {
    process.stdout.write(`${name}\n`);
  }

  onTestCaseAnnotate(_test: TestCase, { type, message }: Annotation): void {
    if (type === 'progress') this.progress.show('faults reached', Math.min(Number(message), this.count), this.count);
    if (type === 'faults') this.table = message;
  }

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'skipped') return;
    this.progress.end();
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
    process.stdout.write(`${this.table}\n  after ${seconds} s\n`);
    for (const { message } of test.result().errors ?? []) process.stdout.write(`\n${message}\n`);
  }

  onTestRunEnd(_modules: unknown, errors: readonly { readonly message: string }[]): void {
    for (const { message } of errors) process.stdout.write(`\n${message}\n`);
  }
}
