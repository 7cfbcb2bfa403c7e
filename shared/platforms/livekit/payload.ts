import * as z from 'zod/mini';
import { perhaps, RequiredText } from '../payload-fields.ts';

// LiveKit sends protojson: int64 as texts, enums as names or numbers, and no field with a zero value. Fields are added every month, so
// unknown ones are ignored, and a field that only adds to an event cannot spoil it.

/** The last millisecond of the year 9998, after which no event can be. */
const lastMs = Date.UTC(9999, 0) - 1;

/** An instant in one of LiveKit's units. Zero, which stands for none, is undefined. */
const instant = (toMs: (value: bigint) => bigint) =>
  z.pipe(
    z.nullish(z.union([z.string().check(z.regex(/^-?\d{1,19}$/)), z.int()], 'must be a whole number')),
    z.transform((value, { issues }) => {
      const ms = toMs(BigInt(value ?? 0));
      if (ms <= lastMs) return ms > 0 ? new Date(Number(ms)).toISOString() : undefined;
      issues.push({ code: 'custom', input: value, message: 'must be a time before the year 9999' });
      return z.NEVER;
    }),
  );
const Seconds = instant((value) => value * 1000n);
const Milliseconds = instant((value) => value);
/** An enum of protobuf by its names, the first of which has the number 0. The number of an unknown name is kept as its text. */
const enumOf = (names: Readonly<Record<number, string>>) =>
  z.pipe(
    perhaps(z.union([z.string(), z.int()])),
    z.transform((value = 0) => (typeof value === 'string' ? value : (names[value] ?? String(value)))),
  );

/** The name of an event, which every webhook has. */
export const Named = z.object({ event: z.string() });

const Room = z.object({ sid: RequiredText, name: RequiredText, creationTime: Seconds, creationTimeMs: Milliseconds });
/** A webhook about a room. */
export const RoomWebhook = z.object({ room: Room, createdAt: Seconds });
export type RoomWebhook = z.infer<typeof RoomWebhook>;

const kinds = { 0: 'STANDARD', 1: 'INGRESS', 2: 'EGRESS', 3: 'SIP', 4: 'AGENT', 7: 'CONNECTOR', 8: 'BRIDGE' };
const flag = perhaps(z.boolean());
const Participant = z.object({
  sid: RequiredText,
  identity: RequiredText,
  name: perhaps(z.string()),
  joinedAt: Seconds,
  joinedAtMs: Milliseconds,
  kind: enumOf(kinds),
  permission: perhaps(z.object({ hidden: flag, recorder: flag, agent: flag })),
  attributes: perhaps(z.record(z.string(), z.string())),
});
export type Participant = z.infer<typeof Participant>;
/** A webhook about a participant's connection. */
export const ParticipantWebhook = z.object({ ...RoomWebhook.shape, participant: Participant });
export type ParticipantWebhook = z.infer<typeof ParticipantWebhook>;
