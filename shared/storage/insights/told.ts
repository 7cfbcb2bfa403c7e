import * as z from 'zod/mini';
import type { Settling, Told } from '../../domain/told.ts';
import { attributeNames } from '../../names.ts';
import { settleShard } from '../keys.ts';

/** A condition of a write, and the values that it names. */
export type Condition = { readonly expression: string; readonly values: Readonly<Record<string, unknown>> };

/** What was told of a session, in few bytes, because most rows are just below a kilobyte: the revision, and the digest of an end. */
export function toldText({ revision, digest }: Told): string {
  return digest === undefined ? String(revision) : `${revision} ${digest}`;
}

/** Reads that text. */
export const ToldText = z.pipe(
  z.string().check(z.regex(/^[1-9]\d*( \S+)?$/)),
  z.transform((text): Told => {
    const [revision, digest] = text.split(' ');
    return { revision: Number(revision), ...(digest !== undefined && { digest }) };
  }),
);

/** The condition that the same was told as when the session was read: two notices of a session never get one revision. */
export function ifToldIs(told: Told | undefined): Condition {
  if (told === undefined) return { expression: 'attribute_not_exists(told)', values: {} };
  return { expression: 'told = :told', values: { ':told': toldText(told) } };
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
