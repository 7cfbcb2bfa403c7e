import { randomUUID } from 'node:crypto';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { untilNothingFound } from '#shared/adapters/common/remove-keys.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { hooksOfOrganization } from '#shared/domain/transcriptions/transcript-location.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { Progress } from '#tools/shared/progress-bar.ts';
import type { Deployment } from './deployment.ts';
import { objectsLabel, rowsLabel } from './erase-organization.ts';
import { namesAny } from './names-in-webhook.ts';
import type { Removal } from './removal.ts';
import { queryRows, queryRowsBetween, type Row } from './rows.ts';
import { untilReplaced } from './writes.ts';

const readsAtOnce = 20;
const sessionRows = ['session#', 'session#\uffff'] as const;

/**
 * Removes the stored webhooks that name one of a person's ids, with the rows that let them wait for a session, and the person's entries in
 * remembered sessions. Rows go before bodies, because a body leads to its row, and bodies before entries, because an entry leads to the
 * bodies that name only its connection. It returns how many it removed and changed.
 */
export async function removeHooks(
  deployment: Deployment,
  organizationId: OrganizationId,
  ids: ReadonlySet<string>,
  removal: Removal,
  progress: Progress,
): Promise<Map<string, number>> {
  const all = await withConnections(deployment, organizationId, ids);
  const read = new Set<string>();
  let [parked, removed] = [0, 0];
  await untilNothingFound(async () => {
    const keys = await hooksNaming(deployment, organizationId, all, read, progress);
    const hers = new Set(keys);
    for await (const rows of queryRows(deployment, 'platformSessions', organizationId, ['key'])) {
      const waiting = rows.filter(({ key }) => hers.has(String(key)));
      await removal.rows('platformSessions', waiting);
      parked += waiting.length;
    }
    await removal.objects('transcripts', keys);
    removed += keys.length;
    return keys.length;
  });
  const changed = await forgetInSessions(deployment, organizationId, ids, removal);
  return new Map([
    [rowsLabel('platformSessions'), parked],
    [`changed ${rowsLabel('platformSessions')}`, changed],
    [objectsLabel('transcripts'), removed],
  ]);
}

/**
 * Returns the keys of the stored webhooks that name one of the ids. No index leads to them, so it reads all of the
 * organization, except those that have been read.
 */
async function hooksNaming(
  { s3, buckets }: Deployment,
  organizationId: OrganizationId,
  ids: ReadonlySet<string>,
  read: Set<string>,
  progress: Progress,
): Promise<string[]> {
  const files = hookFiles(s3, buckets.transcripts);
  const folder = { Bucket: buckets.transcripts, Prefix: hooksOfOrganization(organizationId) };
  const listed: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, folder))
    listed.push(...Contents.flatMap(({ Key }) => (Key === undefined || read.has(Key) ? [] : Key)));
  const found: string[] = [];
  let done = 0;
  for (let from = 0; from < listed.length; from += readsAtOnce) {
    const keys = listed.slice(from, from + readsAtOnce);
    for (const key of keys) read.add(key);
    const hooks = await Promise.all(keys.map(async (key) => ({ key, hook: await files.get(key) })));
    found.push(...hooks.filter(({ hook }) => hook && namesAny(hook.payload, ids)).map(({ key }) => key));
    done += keys.length;
    progress.show('Reading webhooks', done, listed.length);
  }
  return found;
}

/** The ids with those of the person's connections, which remembered sessions know. Names of files can have only the latter. */
async function withConnections(
  deployment: Deployment,
  organizationId: OrganizationId,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  const all = new Set(ids);
  for await (const rows of queryRowsBetween(deployment, 'platformSessions', organizationId, sessionRows))
    for (const row of rows)
      for (const [connection, participant] of participantsOf(row)) if (ids.has(participant)) all.add(connection);
  return all;
}

async function forgetInSessions(
  deployment: Deployment,
  organizationId: OrganizationId,
  ids: ReadonlySet<string>,
  removal: Removal,
): Promise<number> {
  let count = 0;
  await untilReplaced(async () => {
    for await (const rows of queryRowsBetween(deployment, 'platformSessions', organizationId, sessionRows)) {
      for (const row of rows) {
        const participants = withoutIds(row, ids);
        if (participants === undefined) continue;
        const Put = {
          TableName: deployment.tables.platformSessions,
          Item: { ...row, participants, version: randomUUID() }, // so that a worker that has read the row reads it again
          ConditionExpression: `attribute_exists(${attributeNames.stateKey}) AND version = :version`,
          ExpressionAttributeValues: { ':version': row.version },
        };
        if (!(await removal.replace([{ Put }]))) return false;
        count += 1;
      }
    }
    return true;
  });
  return count;
}

/** Returns the participants of a remembered session without those of the person, or undefined if it has none of the person. */
function withoutIds(row: Row, ids: ReadonlySet<string>): Record<string, string> | undefined {
  const all = participantsOf(row);
  const others = all.filter(([connection, participant]) => !ids.has(connection) && !ids.has(participant));
  return others.length === all.length ? undefined : Object.fromEntries(others);
}

/** The participants of a remembered session, with the ids of their connections before them. */
function participantsOf({ participants }: Row): [string, string][] {
  return Object.entries((participants ?? {}) as Record<string, string>);
}
