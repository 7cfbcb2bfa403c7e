import type { FileLocation } from '#shared/contracts/events.ts';
import { eventIdOf, uuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import type { Hook, HookState, NewEvent } from '../platform.ts';
import { type EgressFile, type EgressInfo, EgressWebhook, Manifest } from './egress-payload.ts';
import { LivekitSettings } from './settings.ts';

/** The states in which the files of an egress are whole, by their names and by their numbers. */
const whole: readonly unknown[] = ['EGRESS_COMPLETE', 'EGRESS_LIMIT_REACHED', 3, 6];

/** No name in DNS is longer. The patterns of the addresses of S3 would take long for a long text. */
const longestHostname = 255;

/** Who a file of one participant belongs to, and what it recorded. */
type Track = { readonly participantId: string; readonly source?: 'screen' };

/**
 * The events of an egress that has ended. A file of the whole room is a recording of its own. A file of one participant is a track of the
 * session's recording, which closes some time after the session. Files that are not in S3, and video alone, have no events.
 */
export function egressEvents(hook: Hook, { manifest }: HookState): NewEvent[] {
  const { egressInfo: egress } = mustParse(EgressWebhook, hook.payload);
  if (!whole.includes(egress.status) || egress.backupStorageUsed) return [];
  const { bucket } = mustParse(LivekitSettings, hook.connection.settings);
  const isOfOne = egress.participant !== undefined || egress.track !== undefined || egress.trackComposite !== undefined;
  const track = isOfOne ? trackOf(egress, manifest) : undefined;
  if (isOfOne && track === undefined) return [];
  return filesOf(egress).flatMap((file, index) => {
    const location = locationOf(file, bucket);
    const { startedAt: startDate, endedAt: endDate } = file;
    if (location === undefined || startDate === undefined || endDate === undefined) return [];
    return [eventOf(hook, egress, { location, startDate, endDate, index, track })];
  });
}

type Recorded = {
  readonly location: FileLocation;
  readonly startDate: string;
  readonly endDate: string;
  readonly index: number;
  readonly track: Track | undefined;
};

function eventOf({ connection }: Hook, egress: EgressInfo, recorded: Recorded): NewEvent {
  const { location, startDate, endDate, index, track } = recorded;
  const { egressId, roomId, roomName } = egress;
  const common = { roomName: `/${roomName}`, roomSessionId: uuidOf(connection, roomId), startDate, endDate, location };
  const envelope = {
    id: eventIdOf('livekit egress', egressId, String(index)),
    organizationId: connection.organizationId,
    createdAt: endDate,
  };
  if (track) {
    const data = { ...common, ...track, recordingId: uuidOf(connection, `${roomId}|tracks`) };
    return { ...envelope, type: 'recording.track.finished', data };
  }
  const recordingId = uuidOf(connection, `${egressId}|${index}`);
  const filename = location.key.split('/').at(-1) ?? location.key;
  return { ...envelope, type: 'recording.finished', data: { ...common, recordingId, filename } };
}

/** Older servers have one file in a field of its own. */
function filesOf({ fileResults, file }: EgressInfo): readonly EgressFile[] {
  if (fileResults && fileResults.length > 0) return fileResults;
  return file ? [file] : [];
}

/**
 * The manifest of an egress of tracks, which alone names their publisher: where the webhook says, or beside the file as LiveKit names it.
 * Undefined for an egress that needs none.
 */
export function manifestOf({ payload, connection }: Hook): FileLocation | undefined {
  const { egressInfo: egress } = EgressWebhook.safeParse(payload).data ?? {};
  if (egress === undefined || (egress.track === undefined && egress.trackComposite === undefined)) return undefined;
  const bucket = LivekitSettings.safeParse(connection.settings).data?.bucket;
  if (egress.manifestLocation !== undefined) return placeOf(egress.manifestLocation, bucket);
  const [file] = filesOf(egress);
  const beside = file && locationOf(file, bucket);
  return beside && { ...beside, key: `${beside.key.slice(0, beside.key.lastIndexOf('/') + 1)}${egress.egressId}.json` };
}

/** Undefined for video, and if nothing names the publisher. A manifest of another egress counts for nothing. */
function trackOf(egress: EgressInfo, manifest: unknown): Track | undefined {
  if (egress.participant)
    return egress.participant.identity ? { participantId: egress.participant.identity } : undefined;
  const { data } = Manifest.safeParse(manifest);
  const own = data && data.egress_id === egress.egressId && data.room_id === egress.roomId ? data : undefined;
  if (own?.publisher_identity !== undefined) {
    const { publisher_identity: participantId, track_kind: kind, track_source: source } = own;
    if (egress.track && kind?.toUpperCase() === 'VIDEO') return undefined;
    return { participantId, ...(source?.toUpperCase() === 'SCREEN_SHARE_AUDIO' && { source: 'screen' }) };
  }
  const trackId = egress.track?.trackId ?? egress.trackComposite?.audioTrackId;
  const participantId = trackId && publisherInName(filesOf(egress)[0]?.filename ?? '', trackId);
  return participantId ? { participantId } : undefined;
}

/** The publisher in a file named by the template `{publisher_identity}-{track_id}`. Only tracks of sound begin with `TR_A`. */
function publisherInName(filename: string, trackId: string): string | undefined {
  const name = filename.split('/').at(-1) ?? '';
  const end = name.indexOf(`-${trackId}`);
  return end > 0 && trackId.startsWith('TR_A') ? name.slice(0, end) : undefined;
}

function locationOf({ location, filename }: EgressFile, bucket: string | undefined): FileLocation | undefined {
  const named = location === undefined ? undefined : placeOf(location, undefined);
  if (named) return named;
  return bucket !== undefined && filename !== undefined ? { bucket, key: filename } : undefined;
}

/** The place that an address of S3 names, in either of its two forms, or a key in the bucket of the connection. */
function placeOf(address: string, bucket: string | undefined): FileLocation | undefined {
  if (!/^\w+:\/\//.test(address)) return bucket === undefined ? undefined : { bucket, key: address };
  const url = URL.parse(address);
  const key = url && decoded(url.pathname.slice(1));
  if (!url || !key || url.hostname.length > longestHostname) return undefined;
  if (url.protocol === 's3:') return { bucket: url.hostname, key };
  const [, own] = /^(.+)\.s3[.-][a-z0-9.-]*amazonaws\.com(?:\.cn)?$/.exec(url.hostname) ?? [];
  if (own !== undefined) return { bucket: own, key };
  if (!/^s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?$/.test(url.hostname)) return undefined;
  const slash = key.indexOf('/');
  return slash > 0 ? { bucket: key.slice(0, slash), key: key.slice(slash + 1) } : undefined;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
