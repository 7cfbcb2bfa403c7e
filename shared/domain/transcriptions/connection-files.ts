import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';

/** The folder of the recordings bucket in which platforms should store an organization's files (docs/deploy.md). */
export function recordingsFolder(organizationId: OrganizationId): string {
  return `${organizationId}/`;
}

/** The buckets of the service itself. */
export type ServiceBuckets = { readonly recordings: string; readonly transcripts: string };

/**
 * True if a webhook of the connection may name this file: it lies in the organization's folder of the recordings bucket, or in the bucket
 * that the settings of the connection name, unless that is one of the service's own.
 */
export function mayName(
  { organizationId, settings }: Pick<Connection, 'organizationId' | 'settings'>,
  { bucket, key }: FileLocation,
  { recordings, transcripts }: ServiceBuckets,
): boolean {
  if (bucket === recordings) return key.startsWith(recordingsFolder(organizationId));
  return bucket !== transcripts && bucket === settings.bucket;
}

/** The part of an event that names files: a file, and the files of single participants. */
type NamesFiles = {
  readonly data: {
    readonly location?: FileLocation | undefined;
    readonly tracks?: readonly { readonly location: FileLocation }[] | undefined;
  };
};

/** True unless the event names a file that a webhook of the connection may not name. */
export function namesOwnFiles(
  connection: Pick<Connection, 'organizationId' | 'settings'>,
  event: object,
  buckets: ServiceBuckets,
): boolean {
  const { location, tracks = [] } = (event as NamesFiles).data;
  const named = [...(location ? [location] : []), ...tracks.map((track) => track.location)];
  return named.every((file) => mayName(connection, file, buckets));
}
