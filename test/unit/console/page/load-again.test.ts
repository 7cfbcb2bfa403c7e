import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadAgain, loadNewVersion } from '../../../../console/app/load-again.ts';
import { fakePage, pageUrl } from './fake-page.ts';

let served: string;
let page: ReturnType<typeof fakePage>;
beforeEach(() => {
  served = scriptOf('/assets/new.js');
  page = fakePage({ [pageUrl]: () => new Response(served) });
  showing('/assets/old.js');
});
afterEach(() => vi.unstubAllGlobals());

function scriptOf(src: string): string {
  return `<html><script type="module" crossorigin src="${src}"></script></html>`;
}

/** The page has the script of an extension, which comes first, and this one. */
function showing(src: string): void {
  const script = { getAttribute: () => src };
  const other = { getAttribute: () => 'chrome-extension://abc/first.js' };
  vi.stubGlobal('document', { querySelector: (asked: string) => (asked.includes('[src^="/"]') ? script : other) });
}

describe('a new version', () => {
  test('is loaded once, although the page that comes is of the version that it was', async () => {
    await loadNewVersion();
    await loadNewVersion();

    expect(page.reloads()).toBe(1);
  });

  test('is loaded for each version that the tab has', async () => {
    await loadNewVersion();
    showing('/assets/new.js');
    served = scriptOf('/assets/newer.js');
    await loadNewVersion();

    expect(page.reloads()).toBe(2);
  });

  test('is left once, although servers answer with two versions in turns', async () => {
    for (const [shown, other] of [
      ['old', 'new'],
      ['new', 'old'],
      ['old', 'new'],
      ['new', 'old'],
    ]) {
      showing(`/assets/${shown}.js`);
      served = scriptOf(`/assets/${other}.js`);
      await loadNewVersion();
    }

    expect(page.reloads()).toBe(2);
  });

  test('is not there if the server has this one, or answers something else', async () => {
    served = scriptOf('/assets/old.js');
    await loadNewVersion();
    served = '<h1>Log in to the network</h1>';
    await loadNewVersion();

    expect(page.reloads()).toBe(0);
  });
});

describe('the page', () => {
  test('is loaded again as often as the reader wants, if the server has it', async () => {
    expect([await loadAgain(), await loadAgain()]).toEqual([true, true]);
    served = '';
    expect(await loadAgain()).toBe(false);

    expect(page.reloads()).toBe(2);
  });
});
