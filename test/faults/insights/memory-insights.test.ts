import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import {
  isSessionRetraction,
  type RoomRetraction,
  type SessionFact,
} from '#shared/contracts/insights/session-events.ts';
import type { RoomRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionChange } from '#shared/domain/insights/session/session-change.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { recordRoomCreated, recordRoomRetraction } from '#shared/use-cases/insights/record-room-created.ts';
import { recordSessionEvents } from '#shared/use-cases/insights/record-session-events.ts';
import type { RecordSessionDependencies } from '#shared/use-cases/insights/session-update.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { dynamodb, organization } from '../../support/machine.ts';
import { type ListItem, MemoryInsights } from '../support/insights/memory-insights.ts';
import { storedSession } from '../support/insights/stored-sessions.ts';
import { anyHistory } from '../support/random-history.ts';
import { createResources } from '../support/resources.ts';

const { tables, stop } = await createResources();
afterAll(stop);

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

function tablePorts(): RecordSessionDependencies {
  const facts = insightFacts(documents, tables.insightFacts);
  return { facts, insights: sessionInsights(documents, tables, facts), sessionSettleSeconds: 60 };
}

type Ports = RecordSessionDependencies['insights'] & RecordSessionDependencies['facts'];

/** Ports that make every call to two stores and throw if the results differ. */
function both(one: Ports, other: Ports): Ports {
  const ask = async <Name extends keyof Ports>(name: Name, ...args: Parameters<Ports[Name]>): Promise<never> => {
    const [answer, otherAnswer] = await Promise.all(
      [one, other].map((ports) => (ports[name] as (...given: unknown[]) => Promise<unknown>)(...args)),
    );
    expect(inOrder(otherAnswer), `${name} ${JSON.stringify(args)}`).toEqual(inOrder(answer));
    return answer as never; // the method with this name returns this type
  };
  return {
    readBlocks: (session, after) => ask('readBlocks', session, after),
    append: (session, number, facts) => ask('append', session, number, facts),
    keepOfRoom: (event) => ask('keepOfRoom', event),
    readSessions: (session, roomNames) => ask('readSessions', session, roomNames),
    readVisitors: (key, shards) => ask('readVisitors', key, shards),
    readOtherStarts: (key) => ask('readOtherStarts', key),
    readRoom: (key) => ask('readRoom', key),
    readCreations: (key) => ask('readCreations', key),
    isRetracted: (event) => ask('isRetracted', event),
    commit: (change) => ask('commit', change),
    commitRoom: (room) => ask('commitRoom', room),
    writeParticipants: (session, lists) => ask('writeParticipants', session, lists),
    completeParticipants: (session, lists) => ask('completeParticipants', session, lists),
  };
}

/** Sorts facts and rows, because their order has no meaning. */
function inOrder(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.toSorted((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1));
  if (typeof answer !== 'object' || answer === null) return answer;
  const parts = Object.entries(answer).map(([name, part]) => [
    name,
    Array.isArray(part) ? part.toSorted((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1)) : part,
  ]);
  return Object.fromEntries(parts);
}

/** Items of lists by their keys, without the times at which empty ones expire. */
function byKey(items: readonly ListItem[]) {
  return new Map(
    items.map(({ [attributeNames.expiresAt]: _, participants, ...item }) => [
      item[attributeNames.listKey],
      { ...item, participants: participants && Buffer.from(participants as Uint8Array).toString('hex') },
    ]),
  );
}

test('the store in memory and the tables return the same to every call, including writes of outdated state', {
  timeout: 180_000,
}, async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(anyHistory(40), fc.integer(), async (history, seed) => {
      const random = createRandom(seed);
      const store = new MemoryInsights();
      const [memory, table] = [store.ports(), tablePorts()];
      const ports = both({ ...table.insights, ...table.facts }, { ...memory.insights, ...memory.facts });
      const changes: SessionChange[] = [];
      const rooms: RoomRecord[] = [];
      const lists: Parameters<Ports['writeParticipants']>[] = [];
      const insights = {
        ...ports,
        commit: (change: SessionChange) => ports.commit(changes[changes.push(change) - 1] ?? change),
        commitRoom: (room: RoomRecord) => ports.commitRoom(rooms[rooms.push(room) - 1] ?? room),
        writeParticipants: async (...write: Parameters<Ports['writeParticipants']>) => {
          lists.push(write);
          if (random.chance(0.8)) await ports.writeParticipants(...write); // otherwise the next worker completes them
        },
      };
      for (const event of history(organization()).map((written) => RoomEvent.parse(written))) {
        const deps = { facts: ports, insights, sessionSettleSeconds: 60 };
        if (event.type === 'room.created') await recordRoomCreated(deps, event);
        else if (event.type === 'fact.retracted' && !isSessionRetraction(event))
          await recordRoomRetraction(deps, event as RoomRetraction);
        else await recordSessionEvents(deps, [event as SessionFact]);
        const [change, room, list] = [
          random.shuffled(changes)[0],
          random.shuffled(rooms)[0],
          random.shuffled(lists)[0],
        ] as const;
        if (change && !(await ports.commit(change))) refused++;
        if (room && !(await ports.commitRoom(room))) refused++;
        const row = change?.rooms[0]?.session;
        if (change && row && !(await ports.append(row, change.to, []))) refused++;
        if (list) await ports.writeParticipants(...list);
      }
      for (const { session, items } of store.storedSessions()) {
        const stored = await storedSession(tables, session);
        expect(byKey(stored.items)).toEqual(byKey(items));
      }
    }),
    { numRuns: 4 },
  );
  expect(refused).toBeGreaterThan(0);
});
