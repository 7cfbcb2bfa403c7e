import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { toRoomRow } from '#shared/storage/insights/rows.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { demoOrganization } from '#tools/shared/token.ts';
import { startBrowser } from '../../support/client/browser.ts';
import { storedRoom, storedRoomName, writeRows } from '../../support/insights/stored-rooms.ts';
import { capacityMeter } from '../../support/storage/capacity-meter.ts';
import { withLocalRunner } from '../local-runner.ts';
import { median, quantile } from '../quantiles.ts';
import type { Finding, Report } from '../report.ts';
import { type ConsoleReader, openReader } from './console-reader.ts';

const rooms = 10_000;
const firstVisits = 10;
const maxInteractiveMs = 1000;
const longestTaskMs = 50;

/** What a reader does on a view, and the tasks of the page's main thread that lasted longer than 50 ms. */
type Tasks = { readonly what: string; readonly tasksMs: readonly number[]; readonly spread: string };

/** Opens the console of a local runner in Chromium, again and again, and looks for what makes a reader wait. */
export async function measureConsole(): Promise<Report> {
  return withLocalRunner(async (endpoints) => {
    await storeRooms(endpoints);
    const browser = await startBrowser();
    const open = () => openReader(browser, `${endpoints.apiUrl}/console`);
    try {
      await fetch(`${endpoints.apiUrl}/console/rooms`); // which builds the page
      const interactive = await visit(open);
      return reportOf(interactive, await scrollRooms(open));
    } finally {
      await browser.close();
    }
  });
}

async function storeRooms({ dynamodbUrl, tables }: Endpoints): Promise<void> {
  const { documents } = capacityMeter(clientSettings(dynamodbUrl));
  const organizationId = OrganizationId.parse(demoOrganization);
  const make = (index: number) => toRoomRow(storedRoom(organizationId, index));
  await writeRows(documents, tables.rooms ?? '', { count: rooms, make }, { parallel: 4 });
}

type Open = () => Promise<ConsoleReader>;

/** The time from the request of the page until its first rows are there and its main thread is free, each with an empty cache. */
async function visit(open: Open): Promise<number[]> {
  const times: number[] = [];
  const progress = openProgress(process.stderr);
  for (let turn = 0; turn <= firstVisits; turn += 1) {
    const reader = await open();
    await reader.goTo('/rooms', '/stored-');
    const time = await reader.interactiveAfterMs();
    if (turn > 0) times.push(time); // the first one warms the runner up
    await reader.close();
    progress.show('Visiting the list of rooms', turn, firstVisits);
  }
  progress.end();
  return times;
}

async function scrollRooms(open: Open): Promise<Tasks> {
  const reader = await open();
  await reader.goTo('/rooms?sort=roomName:asc', storedRoomName(0));
  await reader.forgetTasks();
  const wheels = await reader.scrollToEnd('Rooms', storedRoomName(rooms - 1));
  const tasksMs = await reader.longTasksMs();
  await reader.close();
  return { what: `scrolling through ${spaced(rooms)} rooms`, tasksMs, spread: `${wheels} turns of the wheel` };
}

function reportOf(interactive: readonly number[], scrolling: Tasks): Report {
  const [p50, p90, max] = [median(interactive), quantile(interactive, 0.9), Math.max(...interactive)];
  return {
    setup:
      `The console of a local runner in headless Chromium on the same machine. The organization has ${spaced(rooms)} rooms. ` +
      `The list of rooms is opened ${firstVisits} times with an empty cache. It is interactive when its first rows are there, and the main ` +
      'thread has no task of more than 50 ms left. Tasks are those that Chromium reports as long.',
    findings: [
      {
        number: 13,
        goal: `the list of rooms is interactive: at most ${maxInteractiveMs} ms`,
        figure: `${p50.toFixed(0)} ms`,
        spread: `p90 ${p90.toFixed(0)} ms, max ${max.toFixed(0)} ms of ${interactive.length}`,
        isMet: p50 <= maxInteractiveMs,
      },
      longTasks(scrolling),
    ],
  };
}

function longTasks({ what, tasksMs, spread }: Tasks): Finding {
  const [p50, max] = [median(tasksMs), Math.max(...tasksMs)];
  return {
    number: 13,
    goal: `${what}: no task longer than ${longestTaskMs} ms`,
    figure: tasksMs.length === 0 ? 'none' : String(tasksMs.length),
    spread: tasksMs.length === 0 ? spread : `${spread}; p50 ${p50.toFixed(0)} ms, max ${max.toFixed(0)} ms`,
    isMet: tasksMs.length === 0,
  };
}

function spaced(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}
