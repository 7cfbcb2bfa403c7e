import * as z from 'zod/mini';
import { MaybeText, maybe, perhaps, RequiredText } from '../payload-fields.ts';

/** Nanoseconds since 1970 as text. Zero, which stands for none, is undefined. */
const Nanoseconds = z.pipe(
  z.nullish(z.union([z.string().check(z.regex(/^\d{1,20}$/)), z.int()], 'must be a whole number')),
  z.transform((value) => {
    const ms = Number(BigInt(value ?? 0) / 1_000_000n);
    return ms > 0 && ms < Date.UTC(9999, 0) ? new Date(ms).toISOString() : undefined;
  }),
);

const File = z.object({
  filename: MaybeText,
  location: MaybeText,
  startedAt: perhaps(Nanoseconds),
  endedAt: perhaps(Nanoseconds),
});
export type EgressFile = z.infer<typeof File>;

/** What an egress recorded: the room or a page, one participant, or tracks. Exactly one of the requests is there. */
const EgressInfo = z.object({
  ...{
    egressId: RequiredText,
    roomId: RequiredText,
    roomName: RequiredText,
    status: maybe(z.union([z.string(), z.number()])),
  },
  fileResults: maybe(z.array(File)),
  file: maybe(File),
  participant: maybe(z.object({ identity: MaybeText })),
  track: maybe(z.object({ trackId: MaybeText })),
  trackComposite: maybe(z.object({ audioTrackId: MaybeText })),
  manifestLocation: MaybeText,
  backupStorageUsed: maybe(z.boolean()),
});
export type EgressInfo = z.infer<typeof EgressInfo>;

/** A webhook about an egress. */
export const EgressWebhook = z.object({ egressInfo: EgressInfo });

/** What LiveKit writes beside the file of a track. */
export const Manifest = z.object({
  ...{ egress_id: RequiredText, room_id: RequiredText, publisher_identity: MaybeText, track_kind: MaybeText },
  track_source: MaybeText,
});
export type Manifest = z.infer<typeof Manifest>;
