import type { List } from '../../../../list.ts';
import type { Roomscribe } from '../../../../roomscribe.ts';
import { type RowPage, valuesIn as valuesOfRow } from '../../../../rows.ts';
import type { Progress } from '../../../output/progress.ts';
import type { FileName, WorkName } from './state.ts';
import type { WorkFolder } from './work-folder.ts';

/** A part of an export: a list of the API for each key, whose pages are written to files. */
type Step = {
  readonly file: FileName | undefined;
  /** The file of the keys. A step without it has one list. */
  readonly keys?: WorkName;
  readonly list: (key: string, cursor: string | undefined) => List<unknown>;
  readonly write: (page: RowPage, key: string) => Promise<void>;
  /** A key that no list has, to ask for the header of an empty file. */
  readonly unknown?: string;
};

const limit = 100;

/** The names of the rooms that can have a session in the period, and their rows. */
const candidates = 'candidates';
const sessionIds = 'session-ids';

/** Fetches what is left of an export. Each page is written before the next one is fetched. */
export async function fetchAll(
  client: Roomscribe,
  work: WorkFolder,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const steps = stepsOf(client, work, signal);
  const { state } = work;
  const { format } = state.scope;
  for (let step = steps[state.step]; step; step = steps[++state.step]) {
    // A step without keys has one list, which is complete once its key is counted.
    for await (const key of step.keys ? work.keysOf(step.keys) : [''].slice(state.key)) {
      do {
        const page = await step.list(key, state.cursor ?? undefined).rowPage(format);
        await work.writePage(() => step.write(page, key));
        state.cursor = page.cursor;
        if (progress.isLive) progress.show(countsOf(work));
        if (page.cursor !== null) await work.saveSometimes();
      } while (state.cursor !== null);
      state.key += 1;
      await work.saveSometimes();
      signal.throwIfAborted();
    }
    if (step.file && !state.files[step.file]) {
      const { header } = await step.list(step.unknown ?? '', undefined).rowPage(format);
      await work.append(step.file, header, []);
    }
    state.key = 0;
  }
}

/** How many rows each file has so far. */
export function countsOf({ state }: WorkFolder): string {
  const counts = Object.entries(state.files).filter(([name]) => name !== candidates && name !== sessionIds);
  return counts.map(([name, { rows }]) => `${name}: ${rows}`).join(', ');
}

function stepsOf({ insights, transcriptions }: Roomscribe, work: WorkFolder, signal: AbortSignal): readonly Step[] {
  const { from, to, format } = work.state.scope;
  const valuesIn = (file: FileName, row: string) => valuesOfRow(format, work.state.files[file]?.header ?? '', row);
  const isFirstPage = () => work.state.cursor === null;
  const wasUsed = (row: string) => {
    const { firstSessionStartedAt: first, lastSessionStartedAt: last } = valuesIn('rooms', row);
    return first && last && first < to && last >= from; // both are texts in UTC with milliseconds
  };
  return [
    {
      file: 'rooms',
      // Sorted by what never changes: a room that is used meanwhile must not move past the cursor.
      list: (_, cursor) => insights.listRooms({ sortBy: 'roomName:asc', limit, cursor }, { signal }),
      write: async ({ header, rows }) => {
        if (isFirstPage()) await work.append('rooms', header, []);
        const lines = rows.filter(wasUsed).map((row) => [valuesIn('rooms', row).roomName ?? '', row]);
        await work.append(
          candidates,
          '',
          lines.map((texts) => `${texts.map(encodeURIComponent).join(' ')}\n`),
        );
      },
    },
    {
      file: 'sessions',
      keys: candidates,
      unknown: '/',
      list: (key, cursor) => {
        const roomName = decodeURIComponent(key.split(' ')[0] ?? '');
        const query = {
          roomName,
          startedAtFrom: from,
          startedAtTo: to,
          sortBy: 'startedAt:asc',
          limit,
          cursor,
        } as const;
        return insights.listRoomSessions(query, { signal });
      },
      write: async ({ header, rows }, key) => {
        if (isFirstPage() && rows.length > 0) {
          await work.append('rooms', '', [decodeURIComponent(key.split(' ')[1] ?? '')]);
        }
        await work.append('sessions', header, rows);
        await work.append(
          sessionIds,
          '',
          rows.map((row) => `${valuesIn('sessions', row).roomSessionId}\n`),
        );
      },
    },
    {
      file: 'participants',
      keys: sessionIds,
      unknown: '00000000-0000-4000-8000-000000000000',
      list: (roomSessionId, cursor) => insights.listParticipants({ roomSessionId, limit, cursor }, { signal }),
      write: ({ header, rows }) => work.append('participants', header, rows),
    },
    {
      file: 'transcriptions',
      list: (_, cursor) =>
        transcriptions.list(
          { startDateFrom: from, startDateTo: to, sortBy: 'startDate:asc', limit, cursor },
          { signal },
        ),
      write: ({ header, rows }) => work.append('transcriptions', header, rows),
    },
  ];
}
