import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPage, withBrowser } from './browser-pages.ts';
import { answersOf, giveAnswers, id, type Knowledge, knowledges, roomName } from './given-answers.ts';
import { type HostedConsole, startHostedConsole, withToken } from './hosted-console.ts';

withBrowser();

let hosted: HostedConsole;
beforeAll(async () => {
  hosted = await startHostedConsole(withToken);
});
afterAll(() => hosted?.stop());

const room = encodeURIComponent(roomName);
const today = new Date().toISOString().slice(0, 10);

/** What each view is asked for, and what it says if so much is known. */
const views: Readonly<Record<string, { readonly search: string } & Readonly<Record<Knowledge, readonly string[]>>>> = {
  '/rooms': {
    search: '',
    unknown: ['no session yet'],
    zero: ['not rated', 'Observed'],
    partial: ['≈ Inferred', 'no leave'],
    whole: ['★ 4', 'Observed'],
  },
  '/room': {
    search: `name=${room}`,
    unknown: ['There are no sessions yet', 'no session yet'],
    zero: ['not rated', '0 s', 'Observed'],
    partial: ['3 min so far', 'not ended', 'Sessions over time'],
    whole: ['★ 4', 'Observed', 'Sessions over time'],
  },
  '/session': {
    search: `id=${id}&room=${room}`,
    unknown: ['Only transcriptions are known of this session', 'Its transcriptions'],
    zero: ['0 s counted by the platform', 'not rated'],
    partial: ['1 min counted by the platform, of 1 of 2 people', 'not told', '3 min so far', 'not ended'],
    whole: ['1 min counted by the platform', 'The times are complete'],
  },
  '/participant': {
    search: `session=${id}&room=${room}&id=ada`,
    unknown: ['Nobody sent network samples of this person', 'room.client.sampled'],
    zero: ['None of the 3 measured minutes was bad.', 'Every whole minute of the stay was measured.'],
    partial: [
      'Of 2 more minutes of the stay, nobody sent packet loss',
      'No two people have samples of the same minute',
      'Bitrate, sent: nobody sent samples.',
    ],
    whole: ['1 of 3 measured minutes was bad.', 'Session: median of senders'],
  },
  '/transcriptions': {
    search: '',
    unknown: ['not known yet'],
    zero: ['0 s', 'none'],
    partial: ['Lacks 1 stretch'],
    whole: ['3 min', 'none'],
  },
  '/transcript': {
    search: `id=${id}`,
    unknown: ['The transcription is in progress.'],
    zero: ['There are no turns.', 'not told'],
    partial: ['What the transcript lacks', 'Good morning.'],
    whole: ['Good morning.', 'American English'],
  },
  '/usage': {
    search: 'from=2026-03-01&to=2026-03-02',
    unknown: ['No use is known of this period'],
    zero: ['0 s'],
    partial: ['The period is not over: these figures are those so far.'],
    whole: ['1 min 30 s'],
  },
  '/webhooks': {
    search: '',
    unknown: ['There are no webhooks yet'],
    zero: ['parked'],
    partial: ['failing'],
    whole: ['active', 'no failure'],
  },
  '/webhook': {
    search: `id=${id}`,
    unknown: ['0 of 1 delivered', 'due now'],
    zero: ['0 of 2 delivered', 'waits until', '503 answer_not_2xx', 'Look into the log of the receiver.'],
    partial: ['1 of 2 delivered', '503 answer_not_2xx'],
    whole: ['1 delivered', '204'],
  },
};

/** In a variable, because the compiler of the tests knows no JSX. */
const routerModule = '../../console/app/router.tsx';
const router: { createConsoleRouter: () => { readonly routesByPath: object } } = await import(routerModule);
/** Every view that the router has. */
const paths = Object.keys(router.createConsoleRouter().routesByPath).filter((path) => path !== '/');

describe.each(paths)('the view %s', (path) => {
  it('reads differently with unknown, zero, partial and whole data', async () => {
    const read = [];
    for (const known of knowledges) read.push(await textOf(path, known));

    expect(new Set(read.map((text) => text.replaceAll(/\d+/g, ''))).size).toBe(knowledges.length);
    expect(read.join('\n')).not.toMatch(/^\s*[–-]\s*$|NaN|undefined|null|Invalid/m);
  });
});

/** The charts of a participant: one for each figure of which somebody sent samples, and none of nothing. */
const chartsOf: Readonly<Record<Knowledge, number>> = { unknown: 0, zero: 4, partial: 2, whole: 4 };

/** What a view says, once it has said all that it must. */
async function textOf(path: string, known: Knowledge): Promise<string> {
  const { page } = await newPage({ expected: /./ });
  await giveAnswers(page, answersOf(known));
  const { search = '', [known]: expected = ['words for each knowledge'] } = views[path] ?? {};
  const isGrowing = path === '/usage' && known === 'partial';
  await page.goto(`${hosted.url}${path.slice(1)}?${isGrowing ? `from=${today}&to=${today}` : search}`);
  const main = page.locator('main');
  for (const words of expected) await main.filter({ hasText: words }).waitFor();
  if (path === '/participant' || known === 'unknown')
    await expect.poll(() => page.locator('canvas').count()).toBe(path === '/participant' ? chartsOf[known] : 0);
  return main.innerText();
}

const none = { results: [], cursor: null };
const noEvents = { '/v1/insights/rooms': none, '/v1/insights/room-sessions': none };

it.each([
  [`room?name=${room}`, 'this room'],
  [`session?id=${id}&room=${room}`, 'this session'],
])(
  '%s without events is not said to be unknown if it has transcriptions, nor to have no recording',
  async (path, what) => {
    const { page } = await newPage({ expected: /./ });
    await giveAnswers(page, { ...answersOf('whole'), ...noEvents });
    await page.goto(`${hosted.url}${path}`);
    await page.getByText(`Only transcriptions are known of ${what}`).waitFor();
    await page.getByRole('link', { name: 'Its transcriptions' }).waitFor();

    await giveAnswers(page, { ...answersOf('whole'), ...noEvents, '/v1/transcriptions': none });
    await page.reload();

    await page.getByText(`Nothing is known of ${what}`).waitFor();
    await page.getByText('A recording may have arrived: recordings alone are not listed here.').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/no event|nobody sent events/i);
  },
);

it('a session that has not ended is observed so far', async () => {
  const open = {
    ...(answersOf('whole')['/v1/insights/room-sessions'] as { results: object[] }).results[0],
    endedAt: null,
  };
  const { page } = await newPage({ expected: /./ });
  await giveAnswers(page, { ...answersOf('whole'), '/v1/insights/room-sessions': { results: [open], cursor: null } });
  await page.goto(`${hosted.url}room?name=${room}`);
  await page.getByText('Observed so far').first().waitFor();
});

it('people of one name are told apart by their ids', async () => {
  const [ada] = (answersOf('whole')['/v1/insights/participants'] as { results: object[] }).results;
  const people = ['Ada', 'ada', 'Ada\u00a0', 'Ben'].map((displayName, index) => ({
    ...ada,
    displayName,
    participantId: `p-${index}`,
  }));
  const { page } = await newPage({ expected: /./ });
  await giveAnswers(page, { ...answersOf('whole'), '/v1/insights/participants': { results: people, cursor: null } });
  await page.goto(`${hosted.url}session?id=${id}&room=${room}`);
  for (const name of ['Ada (p-0)', 'ada (p-1)', 'Ada (p-2)', 'Ben'])
    await page.getByRole('link', { name, exact: true }).first().waitFor();
});

it('samples that are not loaded are not said to be missing', async () => {
  const { page } = await newPage({ expected: /./ });
  await giveAnswers(page, answersOf('partial'));
  await page.route('**/v1/insights/session-network**', () => {});
  await page.goto(`${hosted.url}participant?session=${id}&room=${room}&id=ada`);
  await page.getByText('Loading the session by the minute').waitFor();
  await expect.poll(() => page.locator('canvas').count()).toBe(chartsOf.partial);
  expect(await page.locator('main').innerText()).not.toContain('nobody sent samples');
});

it('the head of a failing webhook says why, although many deliveries wait', async () => {
  const [refused, waiting] = (answersOf('zero')[`/v1/webhooks/${id}/deliveries`] as { results: object[] }).results;
  const { page } = await newPage({ expected: /./ });
  await giveAnswers(page, answersOf('zero'));
  await page.route(`**/v1/webhooks/${id}/deliveries**`, (route) => {
    const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const results = Array.from({ length: 100 }, (_, index) => ({ ...waiting, noticeId: `n-${at}-${index}` }));
    return route.fulfill({ json: at < 4 ? { results, cursor: String(at + 1) } : { results: [refused], cursor: null } });
  });
  await page.goto(`${hosted.url}webhook?id=${id}`);
  await page.getByText('503 answer_not_2xx').first().waitFor();
});
