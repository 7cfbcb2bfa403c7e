import * as z from 'zod/mini';
import type { Counted, Settling, Told } from '#shared/domain/notices/told.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { settleShard } from '../common/keys.ts';

/** A condition of a write, and the values that it names. */
export type Condition = { readonly expression: string; readonly values: Readonly<Record<string, unknown>> };

/**
 * What was told of a session, and what usage includes of it, in few bytes, because most rows are just below a kilobyte: the revision and the
 * digest of an end, and the day and the three minutes.
 */
export function toldAttributes({ revision, digest, counted }: Told): {
  readonly told: string;
  readonly counted?: string;
} {
  const told = digest === undefined ? String(revision) : `${revision} ${digest}`;
  return { told, ...(counted && { counted: countedText(counted) }) };
}

function countedText({ day, participantMinutes, recorderMinutes, streamerMinutes }: Counted): string {
  return [day, participantMinutes, recorderMinutes, streamerMinutes].join(' ');
}

/** Reads that text. */
export const ToldText = z.pipe(
  z.string().check(z.regex(/^[1-9]\d*( \S+)?$/)),
  z.transform((text): Told => {
    const [revision, digest] = text.split(' ');
    return { revision: Number(revision), ...(digest !== undefined && { digest }) };
  }),
);

/** Reads what usage includes. */
export const CountedText = z.pipe(
  z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}( \d+){3}$/)),
  z.transform((text): Counted => {
    const [day = '', ...minutes] = text.split(' ');
    const [participantMinutes = 0, recorderMinutes = 0, streamerMinutes = 0] = minutes.map(Number);
    return { day, participantMinutes, recorderMinutes, streamerMinutes };
  }),
);

/** What a row says of both. */
export function toldOfRow(row: { readonly told?: Told | undefined; readonly counted?: Counted | undefined }) {
  const { told, counted } = row;
  return told === undefined ? {} : { told: { ...told, ...(counted && { counted }) } };
}

/**
 * The condition that the same was told, and is counted, as when the session was read: two notices of a session never get one revision, and
 * usage never changes twice by one difference.
 */
export function ifToldIs(told: Told | undefined): Condition {
  if (told === undefined) return { expression: 'attribute_not_exists(told)', values: {} };
  const { told: text, counted } = toldAttributes(told);
  if (counted === undefined)
    return { expression: 'told = :told AND attribute_not_exists(counted)', values: { ':told': text } };
  return { expression: 'told = :told AND counted = :counted', values: { ':told': text, ':counted': counted } };
}

/** The attributes of a session whose end is to be told. Its shards are not those of open sessions. */
export function settlingAttributes(roomSessionId: string, { at, by }: Settling): Record<string, unknown> {
  return {
    [attributeNames.dueShard]: settleShard(roomSessionId),
    [attributeNames.dueAt]: at,
    settleBy: Date.parse(by) / 1000,
  };
}

/** Reads these attributes. */
export function settlingOfRow(dueAt: string, settleBy: number | undefined): { readonly settling: Settling } {
  return { settling: { at: dueAt, by: settleBy === undefined ? dueAt : new Date(settleBy * 1000).toISOString() } };
}
