import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParticipantRecord } from '#shared/domain/insights/participant-record.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { changedItems, participantWrites } from '#shared/storage/insights/participant-writes.ts';
import { anyParticipant, participantRecord } from '../../../support/insights/insight-records.ts';
import { inKeyOrder, itemsOf, participantTable } from '../../../support/insights/participant-table.ts';
import { at, daily } from '../../../support/insights/session-facts.ts';

const now = new Date('2026-03-02T12:00:00.500Z');
const inADay = Date.parse('2026-03-03T12:00:00Z') / 1000;
const ann = participantRecord('ann', { externalId: 'e-1' });
const bob = participantRecord('bob', { joinedAt: at('09:10') });
const annLeft = participantRecord('ann', { externalId: 'e-1', leftAt: at('09:30') });

const writesTo = (table: ReturnType<typeof participantTable>) =>
  participantWrites(table.documents, 'participants', () => now);
const expected = (participants: readonly ParticipantRecord[]) => inKeyOrder(itemsOf(participants));
const anyParticipants = fc.uniqueArray(anyParticipant, {
  selector: ({ roomName, participantId }) => `${roomName} ${participantId}`,
  maxLength: 12,
});

describe('a change of the lists', () => {
  test('writes the items that differ under the version, and none that is the same', () => {
    expect([...changedItems(daily, { before: [ann, bob], after: [ann, bob], version: 2 }, now)]).toEqual([]);
    const items = [...changedItems(daily, { before: [], after: [ann], version: 1 }, now)];
    expect(items).toHaveLength(3); // two lists, and the external id
    expect(items.every(({ version, expiresAt }) => version === 1 && expiresAt === undefined)).toBe(true);
  });

  test('leaves a removed item empty for a day', () => {
    const items = [...changedItems(daily, { before: [ann], after: [], version: 2 }, now)];
    expect(items).toHaveLength(3);
    for (const item of items)
      expect(item).toEqual({
        ...{ organizationSession: `acme#${daily.roomSessionId}`, listKey: expect.any(String) },
        ...{ version: 2, expiresAt: inADay },
      });
  });

  test('makes the table what the participants are, for any participants before and after', async () => {
    await fc.assert(
      fc.asyncProperty(anyParticipants, anyParticipants, async (before, after) => {
        const table = participantTable(before);
        await writesTo(table).writeParticipants(daily, { before, after, version: 2 });
        expect(table.listed()).toEqual(expected(after));
      }),
      { numRuns: 40 },
    );
  });

  test('stops between two calls if no time is left, and is completed by the next worker', async () => {
    const many = Array.from({ length: 100 }, (_, index) => participantRecord(`p-${index}`));
    const table = participantTable();
    const { writeParticipants, completeParticipants } = writesTo(table);
    const lists = { before: [], after: many, version: 1 };
    const noTime = () => {
      throw new ServiceUnavailable('Too little time is left.');
    };
    await expect(writeParticipants(daily, lists, noTime)).rejects.toThrow(ServiceUnavailable);
    expect(table.puts).toHaveLength(25);
    await completeParticipants(daily, lists);
    expect(table.listed()).toEqual(expected(many));
  });

  test('never replaces an item that is newer', async () => {
    const table = participantTable();
    const { writeParticipants } = writesTo(table);
    await writeParticipants(daily, { before: [ann], after: [annLeft, bob], version: 2 });
    const stored = [...table.items];
    await writeParticipants(daily, { before: [], after: [ann], version: 1 }); // a slow worker
    expect(table.listed()).toEqual(expected([annLeft, bob]));
    const kept = table.items.filter(({ version }) => version === 2);
    expect(kept).toEqual(stored);
  });

  test('never brings back what a newer version has removed', async () => {
    const table = participantTable();
    const { writeParticipants } = writesTo(table);
    await writeParticipants(daily, { before: [ann], after: [], version: 2 });
    await writeParticipants(daily, { before: [], after: [ann], version: 1 });
    expect(table.listed()).toEqual([]);
    await writeParticipants(daily, { before: [], after: [ann], version: 3 });
    expect(table.listed()).toEqual(expected([ann]));
    expect(table.items.filter(({ expiresAt }) => expiresAt !== undefined)).toEqual([]);
  });

  test('of three versions leaves the last one, in whatever order their items are written', async () => {
    const versions = fc.array(anyParticipants, { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(versions, fc.infiniteStream(fc.nat()), async (views, order) => {
        const [first = []] = views;
        const changes = views
          .slice(1)
          .map((after, index) => ({ before: views[index] ?? [], after, version: index + 1 }));
        const writes = changes.flatMap((lists) => {
          const rank = () => order.next().value as number;
          return [...changedItems(daily, lists, now)].map((item) => ({ item, rank: rank() }));
        });
        const table = participantTable(first);
        for (const { item } of writes.toSorted((one, other) => one.rank - other.rank)) table.put(item);
        expect(table.listed()).toEqual(expected(views.at(-1) ?? []));
      }),
      { numRuns: 40 },
    );
  });

  test('that fails otherwise throws', async () => {
    const documents = { send: () => Promise.reject(new Error('down')) } as never;
    const lists = { before: [], after: [ann], version: 1 };
    await expect(participantWrites(documents, 'participants').writeParticipants(daily, lists)).rejects.toThrow('down');
  });
});

describe('completing the lists', () => {
  const lists = { before: [ann], after: [annLeft, bob], version: 2 };

  test('writes nothing if another worker has written everything', async () => {
    const table = participantTable([ann]);
    await writesTo(table).writeParticipants(daily, lists);
    const written = table.puts.splice(0).length;
    await writesTo(table).completeParticipants(daily, lists);
    expect(table.puts).toEqual([]);
    expect(table.reads.map((keys) => keys.length)).toEqual([written]);
  });

  test.each([0, 1, 2, 3, 4])(
    'writes only the items that are missing or old if %i of them were written',
    async (done) => {
      const all = [...changedItems(daily, lists, now)];
      const table = participantTable([ann]);
      for (const item of all.slice(0, done)) table.put(item);
      table.puts.splice(0);
      await writesTo(table).completeParticipants(daily, lists);
      expect(table.puts.map(({ listKey }) => listKey)).toEqual(all.slice(done).map(({ listKey }) => listKey));
      expect(table.listed()).toEqual(expected([annLeft, bob]));
    },
  );

  test('leaves newer items as they are', async () => {
    const table = participantTable([ann]);
    table.change([ann], [bob], 3);
    await writesTo(table).completeParticipants(daily, { before: [], after: [ann], version: 1 });
    expect(table.listed()).toEqual(expected([bob]));
  });

  test('reads nothing if nothing changes, and reads consistently if something does', async () => {
    const sent: { readonly name: string; readonly input: unknown }[] = [];
    const send = async (command: { readonly input: unknown }) => {
      sent.push({ name: command.constructor.name, input: command.input });
      return {};
    };
    const { completeParticipants } = participantWrites({ send } as never, 'participants');
    await completeParticipants(daily, { before: [ann], after: [ann], version: 2 });
    expect(sent).toEqual([]);
    await completeParticipants(daily, lists);
    expect(sent[0]).toMatchObject({ input: { RequestItems: { participants: { ConsistentRead: true } } } });
  });
});
