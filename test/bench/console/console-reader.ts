import type { Browser } from 'playwright-core';

/** A reader of the console in a page of its own, with an empty cache. */
export type ConsoleReader = Awaited<ReturnType<typeof openReader>>;

/** Runs in the page before its own code: collects long tasks, and remembers when a text was first there. */
const observe = `(() => {
  const seen = { tasks: [], firstRowAt: undefined };
  globalThis.seenByBenchmark = seen;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.tasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('tbody tr a')) return;
    seen.firstRowAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
})()`;

type Seen = {
  readonly tasks: readonly { readonly startTime: number; readonly duration: number }[];
  readonly firstRowAt?: number;
};

const idleMs = 500;

/** Opens a page of the console at this address, for one reader. */
export async function openReader(browser: Browser, address: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(observe);
  const page = await context.newPage();
  const seen = () => page.evaluate<Seen>('globalThis.seenByBenchmark');
  const untilIdle = async () => {
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(idleMs); // tasks are reported after they have ended
  };
  return {
    /** Opens a view, and waits until it shows a text. */
    async goTo(path: string, text: string): Promise<void> {
      await page.goto(`${address}${path}`);
      await page.getByText(text).first().waitFor();
    },
    /** From the start of the navigation until the first row was there and no long task was left. */
    async interactiveAfterMs(): Promise<number> {
      await untilIdle();
      const { tasks, firstRowAt = Number.NaN } = await seen();
      return Math.max(firstRowAt, ...tasks.map(({ startTime, duration }) => startTime + duration));
    },
    /** How long the long tasks since the last call of `forgetTasks` took. */
    async longTasksMs(): Promise<number[]> {
      return (await seen()).tasks.map(({ duration }) => duration);
    },
    async forgetTasks(): Promise<void> {
      await untilIdle();
      await page.evaluate('globalThis.seenByBenchmark.tasks.length = 0');
    },
    /** Turns the wheel over a list until its last row is there. Returns how often it turned. */
    async scrollToEnd(list: string, lastRow: string): Promise<number> {
      await page.getByRole('region', { name: list }).hover();
      const last = page.getByText(lastRow);
      for (let turns = 1; turns < 10_000; turns += 1) {
        await page.mouse.wheel(0, 1200);
        if (turns % 10 === 0 && (await last.count()) > 0) return turns;
      }
      throw new Error(`The list ${list} does not end.`);
    },
    close: () => context.close(),
  };
}
