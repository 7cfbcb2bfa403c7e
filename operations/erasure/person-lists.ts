import { isDeepStrictEqual } from 'node:util';
import type { ParticipantRecord, SessionId, Visitor } from '#shared/domain/insights/participant-record.ts';
import { noUsage } from '#shared/domain/insights/usage.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { participantItems, participantOfItem, participantsOfPage } from '#shared/storage/insights/participant-items.ts';
import { emptyItem } from '#shared/storage/insights/participant-writes.ts';
import type { Visit } from './anonymous-facts.ts';
import { participantInKey } from './find-person.ts';
import type { Row } from './rows.ts';

/** The rows that list the participants of the sessions with one id, whom they should list, and the version of both. */
export type StoredLists = {
  readonly session: SessionId;
  readonly rows: readonly Row[];
  readonly participants: readonly ParticipantRecord[];
  readonly version: number;
};

/** What changes when lists no longer have a person: rows to write, and rows whose keys name the person. */
export type ListChanges = { readonly written: readonly Row[]; readonly removed: readonly Row[] };

/** The participants that the stored lists name, for a session whose facts have expired. Every list has all of them. */
export function listedIn(rows: readonly Row[]): ParticipantRecord[] {
  const elements = rows.flatMap(participantsOfPage);
  const distinct = new Map(elements.map((each) => [JSON.stringify([each.roomName, each.listed.participantId]), each]));
  return [...distinct.values()].map(({ roomName, listed, visitorIds = [] }) => {
    const visitors = [...visitorIds, listed.userId ?? listed.deviceId].map(toVisitor);
    return {
      ...{ roomName, participantId: listed.participantId, listed, usage: noUsage, visitors, missing: [] },
      ...{ earliestAt: null, latestAt: null, heardAt: null, talk: null },
      presence: { isWhole: true, connections: [], changes: [] },
    };
  });
}

/** Returns as whom the participants joined, as far as the lists say it: the last visitors of each. Earlier ones are only in the facts. */
export function visitsListed(rows: readonly Row[], participantIds: ReadonlySet<string>): Visit[] {
  return listedIn(rows)
    .filter(({ participantId }) => participantIds.has(participantId))
    .flatMap(({ roomName, visitors }) => visitors.map((visitor) => ({ roomName, visitor })));
}

function toVisitor(visitorId: string): Visitor {
  return { kind: 'participant', visitorId };
}

/** Returns what changes so that the lists have their participants without those of the person. */
export function withoutPerson(
  { session, rows, participants, version }: StoredLists,
  participantIds: ReadonlySet<string>,
): ListChanges {
  const others = participants.filter(({ participantId }) => !participantIds.has(participantId));
  const items = participantItems(session, others);
  const stored = new Map(rows.map((row) => [nameOf(row), row]));
  const current = [...items].map(([name, { toItem }]) => ({ name, item: toItem() }));
  const stale = rows.filter((row) => !items.has(nameOf(row)));
  const isNamed = (row: Row) => participantIds.has(participantInKey(row));
  return {
    written: [
      ...current.filter(({ name, item }) => !isSame(item, stored.get(name))).map(({ item }) => ({ ...item, version })),
      ...stale.filter((row) => !isNamed(row) && !isEmpty(row)).map((row) => emptyItem(keyOf(row), version, new Date())),
    ],
    removed: stale.filter(isNamed),
  };
}

function nameOf(row: Row): string {
  return String(row[attributeNames.listKey]);
}

function keyOf(row: Row): Row {
  const { organizationSession, listKey } = attributeNames;
  return { [organizationSession]: row[organizationSession], [listKey]: row[listKey] };
}

function isSame(one: Row, other: Row = {}): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other));
}

function isEmpty(row: Row): boolean {
  return isSame(row);
}

function contentOf(row: Row) {
  return { ofPage: participantsOfPage(row), ofItem: participantOfItem(row) };
}
