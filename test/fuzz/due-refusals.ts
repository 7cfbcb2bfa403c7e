import type { AnyEvent } from './event-rules.ts';

type Data = Readonly<Record<string, unknown>>;
type Ended = { readonly event: AnyEvent; readonly isDone: boolean };

/** Limits of a session and of a day. Declared here and not imported, so that a wrong constant in the service is found. */
const [mostRooms, mostEventsWithOneId] = [5, 25];
const [daySeconds, fewestSeconds] = [480 * 60, 15];

const dataOf = ({ data }: AnyEvent) => data as Data;
const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * True if the accepted events explain why an event that breaks no rule by itself was refused. A session forgets nothing, so what
 * was full then is full at the end.
 */
export function isDue(issue: string, event: AnyEvent, ended: readonly Ended[]): boolean {
  const accepted = ended.filter(({ isDone }) => isDone).map((each) => each.event);
  const [, place] = /^(data\S*)\.location must not be a file of another organization$/.exec(issue) ?? [];
  if (place !== undefined) {
    const [file] = filesOf(event).filter((each) => each.place === place);
    return accepted.some(
      (each) =>
        each.organizationId !== event.organizationId && filesOf(each).some(({ name }) => isEqual(name, file?.name)),
    );
  }
  const ofSession = accepted.filter((each) => isOfSession(each) && isSameSession(each, event));
  if (ofSession.some((each) => isEqual(each, event))) return false; // a repetition is never refused
  const rooms = new Set(ofSession.map((each) => dataOf(each).roomName));
  if (/^data.roomName must be one of the rooms of its session: at most 5 rooms can use one session id$/.test(issue))
    return rooms.size >= mostRooms && !rooms.has(dataOf(event).roomName);
  const isOfIds = /^id must be the id of fewer than 25 events of its session$/.test(issue);
  return isOfIds && distinctWithId(ofSession, event.id) >= mostEventsWithOneId;
}

/** The sessions that accepted more rooms, or more events with one id, than they can have. */
export function sessionsBeyondLimits(accepted: readonly AnyEvent[]): string[] {
  const sessions = Map.groupBy(accepted.filter(isOfSession), (event) => `${event.organizationId} ${sessionOf(event)}`);
  return [...sessions].flatMap(([name, events]) => {
    const rooms = new Set(events.map((event) => dataOf(event).roomName)).size;
    const ids = new Set(events.map(({ id }) => id));
    const most = Math.max(...[...ids].map((id) => distinctWithId(events, id)));
    return rooms > mostRooms || most > mostEventsWithOneId ? [`${name}: ${rooms} rooms, ${most} events of an id`] : [];
  });
}

/** Counts the recordings that an organization has transcribed. Returns whether another one of this id can exceed the minutes of a day. */
export function minutesOfDay(accepted: readonly AnyEvent[]) {
  let seconds = 0;
  const longest = (recordingId: string) =>
    Math.max(
      ...accepted
        .filter(
          (event) =>
            event.type === 'recording.finished' && String(dataOf(event).recordingId).toLowerCase() === recordingId,
        )
        .map(secondsOf),
    );
  return {
    mayExceed: (recordingId: string) => seconds + longest(recordingId) > daySeconds,
    add: (recordingId: string) => {
      seconds += longest(recordingId);
    },
  };
}

function secondsOf(event: AnyEvent): number {
  const { startDate, endDate } = dataOf(event);
  const at = (time: unknown) => Date.parse(String(time).replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  const seconds = Math.ceil((at(endDate) - at(startDate)) / 1000);
  return Math.min(86_400, Math.max(fewestSeconds, seconds));
}

/** The files that an event of a recording names, and where. */
function filesOf(event: AnyEvent): { readonly place: string; readonly name: unknown }[] {
  if (!String(event.type).startsWith('recording.')) return [];
  const tracks = dataOf(event)?.tracks;
  const named = [
    { place: 'data', data: dataOf(event) },
    ...(Array.isArray(tracks) ? tracks : []).map((data, index) => ({ place: `data.tracks.${index}`, data })),
  ];
  return named.map(({ place, data }) => {
    const { bucket, key } = (data?.location ?? {}) as Data;
    return { place, name: [bucket, key] };
  });
}

function isOfSession({ type }: AnyEvent): boolean {
  return /^room\.(session\.|client\.(joined|left|rated))/.test(String(type));
}

function sessionOf(event: AnyEvent): string {
  return String(dataOf(event).roomSessionId).toLowerCase();
}

function isSameSession(one: AnyEvent, other: AnyEvent): boolean {
  return one.organizationId === other.organizationId && sessionOf(one) === sessionOf(other);
}

/** Joins and leaves with one id, participant and time are one event, and so are others of one type. */
function distinctWithId(events: readonly AnyEvent[], id: unknown): number {
  const same = events.filter((event) => event.id === id);
  const kindOf = ({ type }: AnyEvent) => String(type).replace('left', 'joined');
  return new Set(same.map((event) => JSON.stringify([kindOf(event), event.createdAt, dataOf(event).participantId])))
    .size;
}
