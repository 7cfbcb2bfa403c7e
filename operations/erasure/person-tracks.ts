import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { batchGet } from '#shared/storage/common/batch-get.ts';
import { organizationSession } from '#shared/storage/insights/keys.ts';
import { recordingFileKey, recordingKey } from '#shared/storage/transcriptions/keys.ts';
import { StoredLocation } from '#shared/storage/transcriptions/stored-location.ts';
import type { Deployment } from './deployment.ts';
import { objectsLabel, remainingFile, rowsLabel, type Terminal } from './erase-organization.ts';
import type { Participation, Person } from './find-person.ts';
import type { Removal } from './removal.ts';
import { queryRows, type Row } from './rows.ts';

/** A track of a person. `session` is the partition key of the session's rows, if the recording's session is known. */
export type TrackOfPerson = {
  readonly participantId: string;
  readonly session?: string | undefined;
  readonly file: FileLocation;
  readonly row: Row;
};

/**
 * Finds a person's tracks among all of the organization. A participant id selects the tracks of every session. Otherwise they are
 * those of the sessions in which the person participated.
 */
export async function findTracks(
  deployment: Deployment,
  organizationId: OrganizationId,
  { participantId }: Person,
  participations: readonly Participation[],
): Promise<TrackOfPerson[]> {
  const named = new Set(participations.map((participation) => participation.participantId).concat(participantId ?? []));
  const participated = new Set(participations.map((each) => JSON.stringify([each.participantId, each.session])));
  const isOfPerson = (track: TrackOfPerson) =>
    track.participantId === participantId ||
    track.session === undefined ||
    participated.has(JSON.stringify([track.participantId, track.session]));
  const found: TrackOfPerson[] = [];
  const attributes = ['recordingId', 'participantId', 'location'];
  for await (const page of queryRows(deployment, 'recordingTracks', organizationId, attributes)) {
    const rows = page.filter((row) => named.has(String(row.participantId)));
    const sessions = await sessionsOf(deployment, organizationId, new Set(rows.map((row) => String(row.recordingId))));
    const tracks = rows.map((row) => ({
      participantId: String(row.participantId),
      session: sessions.get(String(row.recordingId)),
      file: StoredLocation.parse(row.location),
      row,
    }));
    found.push(...tracks.filter(isOfPerson));
  }
  return found;
}

async function sessionsOf(
  { documents, tables }: Deployment,
  organizationId: OrganizationId,
  recordingIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const keys = [...recordingIds].map((id) => recordingKey(organizationId, id));
  const rows = await batchGet(documents, { tableName: tables.recordings, keys, consistent: true });
  return new Map(
    rows.flatMap(({ recordingId, roomSessionId }) =>
      roomSessionId === undefined
        ? []
        : [
            [
              String(recordingId),
              organizationSession({ organizationId, roomSessionId: String(roomSessionId) }),
            ] as const,
          ],
    ),
  );
}

/** Removes the tracks: first their files, then the rows that make the organization the owner of these, and last the tracks. */
export async function removeTracks(
  { documents, tables, buckets }: Deployment,
  organizationId: OrganizationId,
  tracks: readonly TrackOfPerson[],
  removal: Removal,
  terminal: Terminal,
): Promise<Map<string, number>> {
  const nameOf = (file: FileLocation) => String(recordingFileKey(file)[attributeNames.fileLocation]);
  const files = new Map(tracks.map(({ file }) => [nameOf(file), file]));
  const keys = [...files.values()].map(recordingFileKey);
  const claims = await batchGet(documents, { tableName: tables.recordingFiles, keys, consistent: true });
  const owned = claims.filter((claim) => claim.organizationId === organizationId);
  const ownedNames = new Set(owned.map((claim) => String(claim[attributeNames.fileLocation])));
  const isErasable = ([name, { bucket }]: [string, FileLocation]) =>
    bucket === buckets.recordings && ownedNames.has(name);
  const objects = [...files].filter(isErasable).map(([, { key }]) => key);
  for (const [, file] of [...files].filter((each) => !isErasable(each))) terminal.print(remainingFile(file));
  await removal.objects('recordings', objects);
  await removal.rows('recordingFiles', owned);
  await removal.rows(
    'recordingTracks',
    tracks.map(({ row }) => row),
  );
  return new Map([
    [rowsLabel('recordingTracks'), tracks.length],
    [rowsLabel('recordingFiles'), owned.length],
    [objectsLabel('recordings'), objects.length],
  ]);
}

/** Returns the ids of the works that have a part of one of these participants. */
export async function worksWith(
  deployment: Deployment,
  organizationId: OrganizationId,
  participantIds: ReadonlySet<string>,
): Promise<string[]> {
  const ids = new Set<string>();
  for await (const rows of queryRows(deployment, 'transcriptionParts', organizationId, ['participantId', 'workId'])) {
    const hers = rows.filter(({ participantId }) => participantIds.has(String(participantId)));
    for (const row of hers) ids.add(String(row.workId));
  }
  return [...ids];
}
