import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type * as z from 'zod/mini';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type { UsageDay } from '#shared/contracts/insights/usage-days.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { usageUpdate } from '#shared/storage/insights/usage-update.ts';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { sendEvents } from '#tools/simulation/send.ts';
import { clientOf, read } from '../http/checked-api.ts';
import { dynamodb, endpoints, sqs, token } from '../machine.ts';

const { listRoomInsights, listRoomSessionInsights, listParticipants, getParticipant, getSessionNetwork, listUsage } =
  insightEndpoints;

/** The paths of the insight endpoints. */
export const paths = {
  rooms: listRoomInsights.path,
  roomSessions: listRoomSessionInsights.path,
  participants: listParticipants.path,
  participant: getParticipant.path,
  network: getSessionNetwork.path,
  usage: listUsage.path,
} as const;
/** The name of an insight endpoint. */
export type InsightName = keyof typeof paths;
/** The names of the insight endpoints that return pages. */
export const listNames = ['rooms', 'roomSessions', 'participants'] as const;

/** Query parameters, not encoded. */
export type Query = Readonly<Record<string, string | number | undefined>>;
/** A page of a list. */
export type Page<Element> = { readonly results: Element[]; readonly cursor: string | null };

/** The path of an endpoint with a percent-encoded query. */
export function pathOf(name: InsightName, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([parameter, value]) =>
    value === undefined ? [] : [`${parameter}=${encodeURIComponent(value)}`],
  );
  return `${paths[name]}${given.length > 0 ? `?${given.join('&')}` : ''}`;
}

/**
 * Calls the endpoints as an organization. Throws unless the answer is a 200 with exactly the fields of the
 * contract.
 */
export function insightsOf(organizationId: string) {
  const reader =
    <Schema extends z.ZodMiniType>(name: InsightName, schema: Schema) =>
    async (query: Query = {}): Promise<z.output<Schema>> => {
      const answer = await clientOf(organizationId)('GET', pathOf(name, query));
      const known = read(schema, answer);
      expect(JSON.parse(answer.text), 'no fields beyond the contract').toEqual(known);
      return known;
    };
  return {
    rooms: reader('rooms', listRoomInsights.response),
    roomSessions: reader('roomSessions', listRoomSessionInsights.response),
    participants: reader('participants', listParticipants.response),
    participant: reader('participant', getParticipant.response),
    network: reader('network', getSessionNetwork.response),
    usage: reader('usage', listUsage.response),
  };
}

/** Adds the use of a room on a day, as the transactions of workers do. */
export async function addUsage(organizationId: string, { day, roomName, ...add }: UsageDay): Promise<void> {
  const change = { organizationId: OrganizationId.parse(organizationId), roomName, day, add };
  const { Update } = usageUpdate(String(endpoints.tables.usageDays), change);
  await DynamoDBDocumentClient.from(dynamodb).send(new UpdateCommand(Update as NonNullable<typeof Update>));
}

/** Reads all pages of a list in order. */
export async function pagesOf<Element>(
  list: (query: Query) => Promise<Page<Element>>,
  query: Query = {},
): Promise<Page<Element>[]> {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor) {
    pages.push(await list({ ...query, cursor }));
  }
  return pages;
}

/** Sends events to their queues, as a platform does. */
export async function send(...events: readonly PlatformEvent[]): Promise<void> {
  await sendEvents(events, { endpoints, sqs: { send: sqs.send.bind(sqs), destroy: () => {} } });
}

/** Waits until the insights of an organization match an independent count of these events. */
export async function untilCounted(organizationId: string, events: readonly PlatformEvent[]): Promise<void> {
  const api = insightsApi(endpoints.apiUrl, () => token(organizationId));
  const { difference } = await untilApiAgrees(recount(organizationId, events), api, { patienceMs: 15_000 });
  if (difference !== undefined) throw new Error(`The insights differ from the count: ${difference}.`);
}

/** Returns a function that sends events and waits until the insights include all events sent so far. */
export function tellerOf(organizationId: string) {
  const told: PlatformEvent[] = [];
  return async (...events: readonly PlatformEvent[]): Promise<void> => {
    told.push(...events);
    await send(...events);
    await untilCounted(organizationId, told);
  };
}

/** A time of the default day: `at('09:30')`, `at('09:30:05.250')`. A full date is returned unchanged. */
export function at(time: string): string {
  return time.includes('T') ? time : new Date(`2026-03-02T${time}Z`).toISOString();
}

type Data<Type extends PlatformEvent['type']> = EventOf<Type>['data'];
type Values = readonly (number | null)[];

/** Makes the events of one session. By default people have unique ids and no external id. */
export function sessionOf(organizationId: string, name: { roomName?: string; roomSessionId?: string } = {}) {
  const session = { roomName: '/daily', roomSessionId: randomUUID(), ...name };
  const event = <Type extends PlatformEvent['type']>(type: Type, time: string, data: Data<Type>) =>
    ({ id: randomUUID(), type, organizationId, createdAt: at(time), data }) as EventOf<Type>;
  return {
    ...session,
    created: (time: string, endAt?: string) =>
      event('room.created', time, { roomName: session.roomName, endAt: endAt && at(endAt) }),
    started: (time: string) => event('room.session.started', time, session),
    ended: (time: string) => event('room.session.ended', time, session),
    joined: (participantId: string, time: string, more: Partial<Data<'room.client.joined'>> = {}) => {
      const person = { deviceId: `device-${participantId}`, roleName: 'guest', displayName: participantId };
      return event('room.client.joined', time, { ...session, participantId, ...person, ...more });
    },
    left: (participantId: string, time: string) => event('room.client.left', time, { ...session, participantId }),
    retracted: ({ id }: { readonly id: string }, data: Partial<Data<'fact.retracted'>> = {}) =>
      event('fact.retracted', '12:00', { eventId: id, ...session, ...data }),
    rated: (participantId: string, time: string, rating: number, more: Partial<Data<'room.client.rated'>> = {}) =>
      event('room.client.rated', time, { ...session, participantId, rating, ...more }),
    updated: (participantId: string, time: string, more: Partial<Data<'room.client.updated'>>) =>
      event('room.client.updated', time, { ...session, participantId, ...more }),
    sampled: (participantId: string, time: string, values: Values, more: Partial<Data<'room.client.sampled'>> = {}) =>
      event('room.client.sampled', time, {
        ...{ roomSessionId: session.roomSessionId, participantId, startedAt: at(time), sampleRateMs: 2000 },
        ...seriesOf(values),
        ...more,
      }),
    spoke: (participantId: string, ...intervals: readonly (readonly [from: string, to: string])[]) =>
      event('room.client.spoke', intervals.at(-1)?.[1] ?? '12:00', {
        ...{ roomSessionId: session.roomSessionId, participantId },
        intervals: intervals.map(([from, to]) => ({ from: at(from), to: at(to) })),
      }),
  };
}

/** The makers of the events of one session. */
export type SessionTeller = ReturnType<typeof sessionOf>;

/** The four series of an answer or an event, with the same values in each. */
export function seriesOf(values: Values) {
  return {
    packetLossSend: [...values],
    packetLossRecv: [...values],
    bitrateSend: [...values],
    bitrateRecv: [...values],
  };
}
