import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { listDifference, valueDifference } from './difference.ts';
import { inParallel } from './in-parallel.ts';
import type { InsightsApi } from './insights-api.ts';
import type { Recount } from './recount.ts';

/** How much of the API agrees with the recount, or the first difference. */
export type Agreement = {
  readonly difference: string | undefined;
  /** The number of compared elements of each kind. */
  readonly compared: { rooms: number; sessions: number; participants: number; connections: number };
};

export type AgreementOptions = {
  /** Receives the current step, the number of agreeing elements, and the total. */
  readonly onProgress?: (what: string, agreeing: number, total: number) => void;
  /** How long a wrong answer may stay unchanged before the wait ends. */
  readonly patienceMs?: number;
  /** The recount with the activity of participants, which the service counts minutes after the events. Either is right until then. */
  readonly withActivity?: Recount;
  readonly signal?: AbortSignal;
};

const defaultPatienceMs = 60_000;
const pollMs = 250;
const parallelReads = 6;
/** The maximum number of clients whose details are compared, one call each. Those with network samples come first. */
const maxDetails = 500;

/** Waits until the API agrees with the recount, from the rooms down to each connection. */
export async function untilApiAgrees(
  expected: Recount,
  api: InsightsApi,
  options: AgreementOptions = {},
): Promise<Agreement> {
  const compared = { rooms: 0, sessions: 0, participants: 0, connections: 0 };
  try {
    await compareRooms(expected, api, options, compared);
    await compareSessions(expected, api, options, compared);
    await compareDetails(expected, api, options, compared);
    return { difference: undefined, compared };
  } catch (error) {
    if (error instanceof Disagreement) return { difference: error.message, compared };
    throw error;
  }
}

type Compared = Agreement['compared'];

async function compareRooms(expected: Recount, api: InsightsApi, options: AgreementOptions, compared: Compared) {
  const { rooms } = expected;
  const byName = new Map(rooms.map((room) => [room.roomName, room]));
  await agreement(
    async () => (await api.rooms()).filter(({ roomName }) => byName.has(roomName)),
    (actual) => {
      const agreeing = actual.filter((room) => isDeepStrictEqual(room, byName.get(room.roomName)));
      options.onProgress?.('Waiting for the totals of the rooms', agreeing.length, rooms.length);
      return listDifference('room', ({ roomName }) => roomName, rooms, actual);
    },
    options,
  );
  compared.rooms = rooms.length;
}

async function compareSessions(expected: Recount, api: InsightsApi, options: AgreementOptions, compared: Compared) {
  const total = expected.rooms.reduce((sum, { totalSessions }) => sum + totalSessions, 0);
  await inParallel(expected.rooms, parallelReads, async ({ roomName }) => {
    const sessions = expected.sessionsOf(roomName);
    const idOf = ({ roomSessionId }: { readonly roomSessionId: string }) => roomSessionId;
    const active = options.withActivity?.sessionsOf(roomName) ?? [];
    await agreement(
      async () => asBeforeActivity(await api.sessionsOf(roomName), idOf, sessions, active),
      (actual) => listDifference(`session of ${roomName}`, idOf, sessions, actual),
      options,
    );
    for (const { roomSessionId } of sessions) {
      const participants = expected.participantsOf(roomSessionId);
      const what = `participant of session ${roomSessionId}`;
      const keyOf = ({ participantId }: { readonly participantId: string }) => participantId;
      const activeOnes = options.withActivity?.participantsOf(roomSessionId) ?? [];
      await agreement(
        async () => asBeforeActivity(await api.participantsOf(roomSessionId), keyOf, participants, activeOnes),
        (actual) => listDifference(what, keyOf, participants, actual),
        options,
      );
      const minutes = expected.networkOf(roomSessionId);
      await agreement(
        () => api.networkOf(roomSessionId),
        (actual) => listDifference(`minute of session ${roomSessionId}`, ({ minute }) => minute, minutes, actual),
        options,
      );
      compared.sessions += 1;
      compared.participants += participants.length;
      options.onProgress?.('Comparing the sessions and their participants', compared.sessions, total);
    }
  });
}

/** What the API tells, where an element with activity is replaced with the same element without. */
function asBeforeActivity<Element>(
  actual: readonly Element[],
  keyOf: (element: Element) => string,
  before: readonly Element[],
  active: readonly Element[],
): Element[] {
  const beforeByKey = new Map(before.map((element) => [keyOf(element), element]));
  const activeByKey = new Map(active.map((element) => [keyOf(element), element]));
  return actual.map((element) => {
    const isActive = isDeepStrictEqual(element, activeByKey.get(keyOf(element)));
    return (isActive && beforeByKey.get(keyOf(element))) || element;
  });
}

async function compareDetails(expected: Recount, api: InsightsApi, options: AgreementOptions, compared: Compared) {
  const clients = clientsToCompare(expected);
  let agreeing = 0;
  await inParallel(clients, parallelReads, async ({ roomSessionId, participantId, details }) => {
    await agreement(
      () => api.detailsOf(roomSessionId, participantId),
      (actual) => {
        const difference = valueDifference(details, actual);
        return difference && `detail of ${participantId} in session ${roomSessionId}: ${difference}`;
      },
      options,
    );
    compared.connections += details.length;
    agreeing += 1;
    options.onProgress?.('Comparing the connections and their network samples', agreeing, clients.length);
  });
}

function clientsToCompare({ rooms, sessionsOf, clientsOf, detailsOf }: Recount) {
  const clients = rooms
    .flatMap(({ roomName }) => sessionsOf(roomName))
    .flatMap(({ roomSessionId }) =>
      clientsOf(roomSessionId).map((participantId) => {
        const details = detailsOf(roomSessionId, participantId);
        const hasSamples = details.some(({ samples }) => samples.bitrateSend.length > 0);
        return { roomSessionId, participantId, details, hasSamples };
      }),
    );
  return clients.toSorted((one, other) => Number(other.hasSamples) - Number(one.hasSamples)).slice(0, maxDetails);
}

/** Reads until there is no difference. Gives up if the answers stay unchanged for too long. */
async function agreement<Answer>(
  read: () => Promise<Answer>,
  differenceOf: (answer: Answer) => string | undefined,
  { patienceMs = defaultPatienceMs, signal }: AgreementOptions,
): Promise<void> {
  let last: Answer | undefined;
  let changedAt = Date.now();
  for (;;) {
    const answer = await read();
    const difference = differenceOf(answer);
    if (difference === undefined) return;
    if (!isDeepStrictEqual(answer, last)) changedAt = Date.now();
    if (Date.now() - changedAt > patienceMs) throw new Disagreement(difference);
    last = answer;
    await delay(pollMs, undefined, signal && { signal });
  }
}

class Disagreement extends Error {
  override readonly name = 'Disagreement';
}
