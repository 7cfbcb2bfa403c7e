import { vi } from 'vitest';

/** Where the fake page is. */
export const pageUrl = 'https://console.example/';

/** A request of the page. */
export type Sent = { readonly url: string; readonly form: Readonly<Record<string, string>> };

/**
 * Gives the modules of the console the page that they need: storage of a tab, an address and a network. `answers` has an answer, or the error of
 * the network, for each address. `visits` collects where the page left for. `show` is the browser that shows the page again.
 */
export function fakePage(answers: Readonly<Record<string, () => Response | Promise<Response>>> = {}, url = pageUrl) {
  const stored = new Map<string, string>();
  const sent: Sent[] = [];
  const visits: URL[] = [];
  let reloads = 0;
  let onShow = (_event: { readonly persisted: boolean }) => {};
  let address = new URL(url);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('location', {
    get href() {
      return address.href;
    },
    get origin() {
      return address.origin;
    },
    get pathname() {
      return address.pathname;
    },
    get search() {
      return address.search;
    },
    assign: (to: string | URL) => void visits.push(new URL(to)),
    reload: () => {
      reloads += 1;
    },
  });
  vi.stubGlobal('addEventListener', (_type: 'pageshow', listener: typeof onShow) => {
    onShow = listener;
  });
  vi.stubGlobal('history', {
    replaceState: (_state: unknown, _title: string, to: string) => {
      address = new URL(to, address);
    },
  });
  vi.stubGlobal('fetch', async (to: string | URL, init: RequestInit = {}) => {
    const { href } = new URL(to, address);
    sent.push({ url: href, form: Object.fromEntries(new URLSearchParams(String(init.body ?? ''))) });
    const answer = answers[href];
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });
  const show = (event: { readonly persisted: boolean }) => onShow(event);
  return { stored, sent, visits, address: () => address.href, reloads: () => reloads, show };
}

/** An answer with a JSON body. */
export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}
