import type {
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  SessionParticipant,
} from '#shared/contracts/insights/insights.ts';
import type { SessionMinute } from '#shared/contracts/insights/session-network.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { recount } from '#tools/simulation/recount.ts';
import { defaultLimits } from '#tools/simulation/recount-events.ts';

const parallelQuestions = 4;

/** All answers of the five endpoints to one organization, by question. Lists are sorted. */
export type Insights = {
  readonly rooms: readonly RoomInsight[];
  readonly sessions: Readonly<Record<string, readonly RoomSessionInsight[]>>;
  readonly participants: Readonly<Record<string, readonly SessionParticipant[]>>;
  readonly externalIds: Readonly<Record<string, readonly SessionParticipant[]>>;
  readonly details: Readonly<Record<string, readonly ParticipantSessionDetail[]>>;
  readonly networks: Readonly<Record<string, readonly SessionMinute[]>>;
};

/** The questions that the events suggest, including those about things that do not exist. */
export type Questions = {
  readonly rooms: readonly string[];
  readonly sessions: readonly string[];
  readonly externalIds: readonly string[];
  readonly clients: readonly { readonly roomSessionId: string; readonly participantId: string }[];
};

/** Reads the answer to every question. */
export type Answers = {
  readonly rooms: () => Promise<readonly RoomInsight[]>;
  readonly sessions: (roomName: string) => Promise<readonly RoomSessionInsight[]>;
  readonly participants: (roomSessionId: string) => Promise<readonly SessionParticipant[]>;
  readonly externalIds: (externalId: string) => Promise<readonly SessionParticipant[]>;
  readonly details: (roomSessionId: string, participantId: string) => Promise<readonly ParticipantSessionDetail[]>;
  readonly networks: (roomSessionId: string) => Promise<readonly SessionMinute[]>;
};

/** Returns the questions that can be asked after these events. */
export function questionsOf(events: readonly PlatformEvent[]): Questions {
  const named = (name: string) => [
    ...new Set(events.flatMap(({ data }) => (data as Record<string, string | undefined>)[name] ?? [])),
  ];
  const clients = events.flatMap(({ data }) => ('participantId' in data ? [clientKey(data)] : []));
  return {
    rooms: named('roomName'),
    sessions: named('roomSessionId'),
    externalIds: named('externalId'),
    clients: [...new Set(clients)].map((client) => {
      const [roomSessionId, participantId] = JSON.parse(client) as [string, string];
      return { roomSessionId, participantId };
    }),
  };
}

/** Asks every question, a few at a time. */
export async function insightsOf(questions: Questions, answers: Answers): Promise<Insights> {
  return {
    rooms: inOrder(await answers.rooms()),
    sessions: await forEach(questions.rooms, async (name) => inOrder(await answers.sessions(name))),
    participants: await forEach(questions.sessions, async (id) => inOrder(await answers.participants(id))),
    externalIds: await forEach(questions.externalIds, async (id) => inOrder(await answers.externalIds(id))),
    details: await forEach(questions.clients.map(clientKey), (client) =>
      answers.details(...(JSON.parse(client) as [roomSessionId: string, participantId: string])),
    ),
    networks: await forEach(questions.sessions, answers.networks),
  };
}

/** The right answers, from the independent recount of the events. */
export function expectedInsights(
  organizationId: string,
  events: readonly PlatformEvent[],
  limits = defaultLimits,
): Promise<Insights> {
  const counted = recount(organizationId, events, limits, { withActivity: true });
  const questions = questionsOf(events);
  const sessions = new Set(questions.sessions.map((id) => id.toLowerCase())); // one id can have two spellings
  const everyone = [...sessions].flatMap(counted.participantsOf);
  return insightsOf(questions, {
    rooms: async () => counted.rooms,
    sessions: async (roomName) => counted.sessionsOf(roomName),
    participants: async (roomSessionId) => counted.participantsOf(roomSessionId),
    externalIds: async (externalId) => everyone.filter((participant) => participant.externalId === externalId),
    details: async (roomSessionId, participantId) => counted.detailsOf(roomSessionId, participantId),
    networks: async (roomSessionId) => counted.networkOf(roomSessionId),
  });
}

function clientKey(client: { readonly roomSessionId: string; readonly participantId: string }): string {
  return JSON.stringify([client.roomSessionId, client.participantId]);
}

async function forEach<Answer>(
  names: readonly string[],
  answer: (name: string) => Promise<Answer>,
): Promise<Record<string, Answer>> {
  const all: Record<string, Answer> = {};
  await inParallel(names, parallelQuestions, async (name) => {
    all[name] = await answer(name);
  });
  return all;
}

/** Sorts a list, because only its content is compared here. */
function inOrder<Element extends object>(elements: readonly Element[]): Element[] {
  return elements
    .map((element) => ({ element, text: JSON.stringify(element) }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ element }) => element);
}
