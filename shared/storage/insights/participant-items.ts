import * as z from 'zod/mini';
import {
  missingKinds,
  participantSortFields,
  SessionParticipant,
  spokenSources,
} from '#shared/contracts/insights/insights.ts';
import { completenessOf } from '#shared/domain/insights/completeness.ts';
import type { ParticipantRecord, SessionId } from '#shared/domain/insights/participant-record.ts';
import { attributeNames, sortAttributeName } from '#shared/runtime/names.ts';
import { inflatedText, zlib } from '#shared/runtime/zlib.ts';
import { compareKeys } from '../common/keys.ts';
import type { Item } from '../common/sorted-query.ts';
import {
  externalParticipantKey,
  organizationExternalId,
  organizationSessionExternalId,
  participantPageKey,
  participantTieBreak,
} from './keys.ts';
import { missingValues, sortAttributesOf } from './sort-attributes.ts';

/** A field by which participants are sorted. */
export type SortField = (typeof participantSortFields)[number];

/** A participant that is listed. */
type Listed = ParticipantRecord & { readonly listed: SessionParticipant };

/** An item of the table of participants: its key, its participants, and the item without them. */
export type ParticipantItem = {
  readonly participants: readonly Listed[];
  readonly key: Item;
  readonly toItem: () => Item;
};

/** One in so many participants begins a page of each list. So a page begins with the same participant whoever else comes and goes. */
const averagePage = 4;
/** A page ends at these limits, whoever comes next. They bound the size of an item. */
const maxOfPage = { participants: 64, characters: 16_384 };

/** The attributes by which a participant is sorted: those of all fields, or of some. */
export function sortAttributesOfParticipant(
  session: SessionId,
  { roomName, listed }: Pick<Listed, 'roomName' | 'listed'>,
  fields: readonly SortField[] = participantSortFields,
) {
  return sortAttributesOf(fields, listed, participantTieBreak({ ...session, roomName }, listed));
}

/** A participant with its sort attributes. */
type Sorted = {
  readonly record: Listed;
  readonly sortKeys: Readonly<Record<string, string>>;
  readonly beginsPage: boolean;
  /** Characters of the texts that have no small limit. */
  readonly length: number;
};

/** Sorted participants by their records. A session of thousands has the same ones in every version. */
const sortedByRecord = new WeakMap<ParticipantRecord, Sorted>();

/** At most so many visitors of a participant are stored beside the listed one, so that its element stays small. */
const maxUnlistedVisitors = 8;

/**
 * The visitors as whom a participant joined, without the one that its element names: those of earlier devices. When the facts have expired,
 * nothing else leads to the visitors that a room has counted.
 */
function unlistedVisitors({ listed, visitors }: Listed): string[] {
  const own = listed.userId ?? listed.deviceId;
  const others = visitors.filter(({ kind, visitorId }) => kind === 'participant' && visitorId !== own);
  return others.map(({ visitorId }) => visitorId).slice(-maxUnlistedVisitors);
}

function sortedOf(session: SessionId, record: Listed): Sorted {
  const known = sortedByRecord.get(record);
  if (known) return known;
  const { comment, tags, participantId } = record.listed;
  const sorted = {
    ...{ record, sortKeys: sortAttributesOfParticipant(session, record) },
    beginsPage: zlib().crc32(participantId) % averagePage === 0,
    length: [comment ?? '', ...tags, ...unlistedVisitors(record)].join('').length,
  };
  sortedByRecord.set(record, sorted);
  return sorted;
}

type Items = ReadonlyMap<string, ParticipantItem>;

/** The items by the participants that they list. A step of the count begins with the participants with which the one before ended. */
const itemsByParticipants = new WeakMap<readonly ParticipantRecord[], Items>();

/**
 * All items that list these participants of the sessions with one id: the pages of each sorted list, by their keys, and an item
 * for each participant with an external id. The same participants have the same items.
 */
export function participantItems(session: SessionId, participants: readonly ParticipantRecord[]): Items {
  const items = itemsByParticipants.get(participants) ?? itemsOf(session, participants);
  itemsByParticipants.set(participants, items);
  return items;
}

function itemsOf(session: SessionId, participants: readonly ParticipantRecord[]): Items {
  const sorted = participants
    .filter((record): record is Listed => record.listed !== null)
    .map((record) => sortedOf(session, record));
  const items = [
    ...participantSortFields.flatMap((field) =>
      pagesOf(sorted, sortAttributeName(field)).map((page) => pageItem(session, field, page)),
    ),
    ...sorted.filter(({ record }) => record.listed.externalId !== null).map((each) => externalItem(session, each)),
  ];
  return new Map(items.map((item) => [String(item.key[attributeNames.listKey]), item]));
}

type ListPage = { readonly sortKey: string; readonly records: Listed[] };

function pagesOf(sorted: readonly Sorted[], sortAttribute: string): ListPage[] {
  const keyed = sorted.map((each) => ({ each, sortKey: each.sortKeys[sortAttribute] ?? '' }));
  const pages: ListPage[] = [];
  let characters = 0;
  let isMissing = false;
  for (const { each, sortKey } of keyed.toSorted((one, other) => compareKeys(one.sortKey, other.sortKey))) {
    const page = pages.at(-1);
    characters += each.length;
    const fits = page && page.records.length < maxOfPage.participants && characters <= maxOfPage.characters;
    if (fits && !each.beginsPage && sortKey.startsWith(missingValues) === isMissing) {
      page.records.push(each.record);
      continue;
    }
    pages.push({ sortKey, records: [each.record] });
    isMissing = sortKey.startsWith(missingValues);
    characters = each.length;
  }
  return pages;
}

function pageItem(session: SessionId, field: string, { sortKey, records: participants }: ListPage): ParticipantItem {
  const key = participantPageKey(session, field, sortKey);
  const elements = () =>
    participants.map((record) => {
      const visitorIds = unlistedVisitors(record);
      const listed = toStored(record.listed);
      return { roomName: record.roomName, listed, ...(visitorIds.length > 0 && { visitorIds }) };
    });
  return {
    key,
    participants,
    toItem: () => ({ ...key, participants: zlib().deflateRawSync(JSON.stringify(elements())) }),
  };
}

/** Only these items are in the indexes. */
function externalItem(session: SessionId, { record, sortKeys }: Sorted): ParticipantItem {
  const { roomName, participantId, listed } = record;
  const key = externalParticipantKey({ ...session, roomName }, participantId);
  const externalId = listed.externalId ?? '';
  return {
    key,
    participants: [record],
    toItem: () => ({
      ...{ ...key, ...sortKeys, listed: toStored(listed) },
      [attributeNames.organizationExternalId]: organizationExternalId(session.organizationId, externalId),
      [attributeNames.organizationSessionExternalId]: organizationSessionExternalId(session, externalId),
    }),
  };
}

const basis = { spokenSeconds: true, spokenSource: true, completeness: true, asOf: true } as const;
/** The source of participants who were stored without one: the only one that there was at first. */
const usualSource = 'platform';
const Stored = z.pipe(
  z.extend(z.omit(SessionParticipant, basis), {
    spokenSeconds: z.optional(z.number()),
    spokenSource: z._default(z.enum(spokenSources), usualSource),
    missing: z.optional(z.array(z.enum(missingKinds))),
    asOf: z.optional(z.string()),
  }),
  z.transform(({ spokenSeconds = null, spokenSource, missing = [], asOf, ...listed }): SessionParticipant => {
    return {
      ...{ ...listed, spokenSeconds, spokenSource: spokenSeconds === null ? null : spokenSource },
      ...{ completeness: completenessOf(missing), asOf: asOf ?? listed.leftAt ?? listed.joinedAt },
    };
  }),
);

/**
 * A participant as it is stored: what is usual is left out. A participant who was stored before this was known reads like one of whom
 * nothing is missing, until the next change.
 */
function toStored({ spokenSeconds, spokenSource, completeness, asOf, ...listed }: SessionParticipant): object {
  const { missing } = completeness;
  return {
    ...listed,
    ...(spokenSeconds !== null && { spokenSeconds }),
    ...(spokenSeconds !== null && spokenSource !== usualSource && { spokenSource }),
    ...(missing.length > 0 && { missing }),
    ...(asOf !== (listed.leftAt ?? listed.joinedAt) && { asOf }),
  };
}

const Elements = z.array(
  z.object({ roomName: z.string(), listed: Stored, visitorIds: z.optional(z.array(z.string())) }),
);
const Page = z.object({
  participants: z.pipe(
    z.instanceof(Uint8Array),
    z.transform((bytes) => Elements.parse(JSON.parse(inflatedText(bytes)))),
  ),
});
const External = z.object({ listed: Stored });

/** The participants of a page in the order of its list. None if the page was removed. */
export function participantsOfPage(item: Item): z.infer<typeof Elements> {
  return item.participants === undefined ? [] : Page.parse(item).participants;
}

/** The participant of an item with an external id. Undefined if it was removed. */
export function participantOfItem(item: Item): SessionParticipant | undefined {
  return item.listed === undefined ? undefined : External.parse(item).listed;
}
