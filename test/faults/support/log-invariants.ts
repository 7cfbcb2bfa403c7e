import { isDeepStrictEqual } from 'node:util';
import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { identityOf, type SessionBlock, sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { sessionTimeline } from '#shared/domain/insights/session/session-view.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { participantItems, participantOfItem, participantsOfPage } from '#shared/storage/insights/participant-items.ts';

/** Everything that is stored of the sessions with one id. */
export type StoredSession = {
  readonly session: SessionId;
  readonly blocks: readonly SessionBlock[];
  readonly rows: readonly SessionRecord[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
};

/**
 * What is wrong with a stored session while nothing is recorded: a fact that is stored twice, a row that is not of the last block,
 * and an item that does not list what the log describes.
 */
export function problemsOf({ session, blocks, rows, items }: StoredSession): string[] {
  const log = sessionLog();
  for (const block of blocks) log.append(block);
  const numbers = blocks.map(({ number }) => number);
  const names = blocks.flatMap(({ facts }) => facts.map(nameOf));
  const roomNames = rows.map(({ roomName }) => roomName);
  return [
    ...(numbers.every((number, index) => number === index + 1) ? [] : [`the blocks have the numbers ${numbers}`]),
    ...(new Set(names).size === names.length ? [] : ['a fact is stored twice']),
    ...([...log.rooms].toSorted().join() === roomNames.toSorted().join() ? [] : [`the rows are of ${roomNames}`]),
    ...rows
      .filter(({ version }) => version !== log.version)
      .map(({ roomName, version }) => `the row of ${roomName} has version ${version} and not ${log.version}`),
    ...problemsOfLists(
      items,
      participantItems(session, log.rooms.size > 0 ? sessionTimeline(session, log).at(log.version).participants : []),
    ),
  ];
}

/** A fact is stored once, but an observed event also beside the inferred one that it replaces. */
function nameOf(fact: StoredFact): string {
  return `${identityOf(fact)} ${'inferred' in fact && fact.inferred}`;
}

/** Every item must list what it should, or be empty, and no item may be missing. */
function problemsOfLists(items: StoredSession['items'], described: ReturnType<typeof participantItems>): string[] {
  const stored = new Map(items.map((item) => [String(item[attributeNames.listKey]), listedOf(item)]));
  const names = new Set([...stored.keys(), ...described.keys()]);
  return [...names].flatMap((name) => {
    const expected = (described.get(name)?.participants ?? []).map(({ listed }) => listed);
    return isDeepStrictEqual(stored.get(name) ?? [], expected) ? [] : [`the item ${JSON.stringify(name)} lists others`];
  });
}

function listedOf(item: StoredSession['items'][number]) {
  const single = participantOfItem(item);
  return single ? [single] : participantsOfPage(item).map(({ listed }) => listed);
}
