import type { ListTranscriptions, TranscriptionState, TranscriptionType } from '../../../client/types.ts';

/** What the address of the view says. */
export type TranscriptionsSearch = {
  readonly [name in FilterName | 'from' | 'to' | 'sort']?: string | undefined;
};

/** The filters of the list. The service takes one at a time. */
export const filterNames = ['state', 'room', 'session', 'type'] as const;
/** A filter of the list. */
export type FilterName = (typeof filterNames)[number];

/** The states that a transcription can have. */
export const states = ['in_progress', 'ready', 'failed'] as const satisfies readonly TranscriptionState[];
/** The types that a transcription can have. */
export const types = ['RECORDING_TRANSCRIPTION', 'LIVE_TRANSCRIPTION'] as const satisfies readonly TranscriptionType[];

/** Why the service would refuse what the address says. */
export type Problem = 'severalFilters' | 'unknownState' | 'unknownType' | 'notASession' | 'emptyPeriod';

const sortFields = ['startDate', 'roomName', 'durationInSeconds'];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const latestFirst = 'startDate:desc';

/** The names of the filters that the address has. */
export function filtersOf(search: TranscriptionsSearch): readonly FilterName[] {
  return filterNames.filter((name) => search[name] !== undefined);
}

/** Finds out why the service would refuse the list of an address, so that the reader need not ask it. */
export function problemOf(search: TranscriptionsSearch): Problem | undefined {
  const { state, type, session, from, to } = search;
  if (filtersOf(search).length > 1) return 'severalFilters';
  if (state !== undefined && !(states as readonly string[]).includes(state)) return 'unknownState';
  if (type !== undefined && !(types as readonly string[]).includes(type)) return 'unknownType';
  if (session !== undefined && !uuid.test(session)) return 'notASession';
  if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to)) return 'emptyPeriod';
  return undefined;
}

/** The fields by which the service can sort this list. */
export function sortFieldsOf({ state, type, session, from, to }: TranscriptionsSearch): readonly string[] {
  const isByStart = [state, type, session, from, to].some((value) => value !== undefined);
  return isByStart ? ['startDate'] : sortFields;
}

/** The order of the list. An order of the address that the service does not have for this list gives way to the latest first. */
export function sortOf(search: TranscriptionsSearch): string {
  const [field = '', direction = ''] = search.sort?.split(':') ?? [];
  const isPossible = sortFieldsOf(search).includes(field) && ['asc', 'desc'].includes(direction);
  return isPossible ? `${field}:${direction}` : latestFirst;
}

/** What to ask the service for. The address must have no problem. */
export function queryOf(search: TranscriptionsSearch): ListTranscriptions {
  const { state, type, session, room, from, to } = search;
  return {
    sortBy: sortOf(search) as NonNullable<ListTranscriptions['sortBy']>,
    ...(room !== undefined && { roomName: roomNameOf(room) }),
    ...(state !== undefined && { state: state as TranscriptionState }),
    ...(type !== undefined && { type: type as TranscriptionType }),
    ...(session !== undefined && { roomSessionId: session }),
    ...(from !== undefined && { startDateFrom: from }),
    ...(to !== undefined && { startDateTo: to }),
  };
}

/** The name of a room as the service has it: each begins with a slash. */
export function roomNameOf(typed: string): string {
  const name = typed.trim();
  return name === '' || name.startsWith('/') ? name : `/${name}`;
}

/** Whether the list is worth asking for again: something in it is in progress, and it is short, because each page costs a point. */
export function isWorthRefreshing(rows: readonly { readonly state: TranscriptionState }[]): boolean {
  return rows.length <= 300 && rows.some(({ state }) => state === 'in_progress');
}
