import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import { isSessionRetraction, type RoomRetraction } from '#shared/contracts/session-events.ts';
import type { RoomRecord } from '#shared/domain/insight-records.ts';
import type { SessionChange } from '#shared/domain/session-change.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { recordRoomCreated, recordRoomRetraction } from '#shared/use-cases/record-room-created.ts';
import { type RecordSessionDependencies, recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import { createRandom } from '../../tools/simulation/random.ts';
import { allOf } from '../support/all-of.ts';
import { dynamodb, organization } from '../support/machine.ts';
import { MemoryInsights } from './support/memory-insights.ts';
import { anyHistory } from './support/random-history.ts';
import { createResources } from './support/resources.ts';

const { tables, stop } = await createResources();
afterAll(stop);

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

function tablePorts(): RecordSessionDependencies {
  const facts = insightFacts(documents, tables.insightFacts);
  return { facts, insights: sessionInsights(documents, tables, facts) };
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
    keep: (fact) => ask('keep', fact),
    keepOfRoom: (event) => ask('keepOfRoom', event),
    countRetractions: (key, retractions) => ask('countRetractions', key, retractions),
    async *eventsOf(key) {
      const [events, others] = await Promise.all([one, other].map((ports) => allOf(ports.eventsOf(key))));
      expect(inOrder(others), 'the events of a session').toEqual(inOrder(events));
      yield* events ?? [];
    },
    readCreations: (key) => ask('readCreations', key),
    isRetracted: (event) => ask('isRetracted', event),
    readSession: (key, participantIds) => ask('readSession', key, participantIds),
    readCounted: (key, visitors) => ask('readCounted', key, visitors),
    readOtherStarts: (key) => ask('readOtherStarts', key),
    readRoom: (key) => ask('readRoom', key),
    listParticipantsToEnd: async (key, endedAt) => {
      const lists = await Promise.all([one, other].map((ports) => ports.listParticipantsToEnd(key, endedAt)));
      const [ids, otherIds] = lists.map((list) => list.toSorted());
      expect(otherIds, 'the participants that end with the session').toEqual(ids);
      return lists[0] ?? [];
    },
    commit: (change) => ask('commit', change),
    commitRoom: (room) => ask('commitRoom', room),
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

test('the store in memory and the tables return the same to every call, including commits of outdated state', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(anyHistory(40), fc.integer(), async (history, seed) => {
      const random = createRandom(seed);
      const [memory, table] = [new MemoryInsights().ports(), tablePorts()];
      const ports = both({ ...table.insights, ...table.facts }, { ...memory.insights, ...memory.facts });
      const changes: SessionChange[] = [];
      const rooms: RoomRecord[] = [];
      const insights = {
        ...ports,
        commit: (change: SessionChange) => ports.commit(changes[changes.push(change) - 1] ?? change),
        commitRoom: (room: RoomRecord) => ports.commitRoom(rooms[rooms.push(room) - 1] ?? room),
      };
      for (const event of history(organization()).map((written) => RoomEvent.parse(written))) {
        const deps = { facts: ports, insights };
        if (event.type === 'room.created') await recordRoomCreated(deps, event);
        else if (event.type === 'fact.retracted' && !isSessionRetraction(event))
          await recordRoomRetraction(deps, event as RoomRetraction);
        else await recordSessionEvents({ facts: ports, insights }, [event as never]);
        if (event.type === 'room.client.joined' && random.chance(0.5)) {
          await ports.keep({
            ...event,
            data: { ...event.data, displayName: 'of another event with the same identity' },
          });
        }
        const [change, room] = [random.shuffled(changes)[0], random.shuffled(rooms)[0]];
        if (change && (await ports.commit(change)) !== 'committed') refused++;
        if (room && !(await ports.commitRoom(room))) refused++;
      }
    }),
    { numRuns: 12 },
  );
  expect(refused).toBeGreaterThan(100);
});
