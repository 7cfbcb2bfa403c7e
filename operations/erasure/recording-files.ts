import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { recordingsFolder } from '#shared/domain/transcriptions/connection-files.ts';
import { attributeNames, rowsByOrganization } from '#shared/runtime/names.ts';
import { batchGet } from '#shared/storage/common/batch-get.ts';
import { fileAt, recordingFileKey } from '#shared/storage/transcriptions/keys.ts';
import type { Deployment } from './deployment.ts';
import { queryIndex, type Row } from './rows.ts';

const maxKeysPerRead = 100;

/** Yields pages of the rows that make an organization the owner of a file, with the file of each. */
export async function* ownedFiles(
  deployment: Deployment,
  organizationId: OrganizationId,
): AsyncGenerator<{ readonly row: Row; readonly file: FileLocation }[]> {
  const pages = queryIndex(deployment, 'recordingFiles', rowsByOrganization, [
    attributeNames.organizationId,
    organizationId,
  ]);
  for await (const rows of pages) {
    yield rows.map((row) => ({ row, file: fileAt(String(row[attributeNames.fileLocation])) }));
  }
}

/**
 * Selects the files that an erasure of the organization removes from the recordings bucket: those that it owns, and those in its
 * folder without an owner. Never a file of another organization.
 */
export async function selectErasable<File extends FileLocation>(
  { documents, tables, buckets }: Deployment,
  organizationId: OrganizationId,
  files: readonly File[],
): Promise<File[]> {
  const nameOf = (file: FileLocation) => recordingFileKey(file)[attributeNames.fileLocation];
  const candidates = files.filter(({ bucket }) => bucket === buckets.recordings);
  const keys = [...new Map(candidates.map((file) => [nameOf(file), recordingFileKey(file)])).values()];
  const owners = new Map<unknown, unknown>();
  for (let from = 0; from < keys.length; from += maxKeysPerRead) {
    const batch = keys.slice(from, from + maxKeysPerRead);
    const rows = await batchGet(documents, { tableName: tables.recordingFiles, keys: batch, consistent: true });
    for (const row of rows) owners.set(row[attributeNames.fileLocation], row.organizationId);
  }
  return candidates.filter((file) => {
    const owner = owners.get(nameOf(file));
    return owner === undefined ? file.key.startsWith(recordingsFolder(organizationId)) : owner === organizationId;
  });
}
