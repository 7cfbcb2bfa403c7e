import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Timestamp, Uuid } from '#shared/contracts/common/fields.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import { type InferredEnd, inferredEnd } from '#shared/domain/insights/session/inferred-end.ts';
import { refusalOfClosed } from '#shared/domain/insights/session/session-closing.ts';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { messageSender } from '#shared/queue/send.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { UserError } from '#tools/shared/user-error.ts';

/** Where the sessions of a deployment are, and where their events go. */
export type SessionDeployment = {
  readonly documents: DynamoDBDocumentClient;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly tables: { readonly insightFacts: string; readonly roomSessions: string };
  readonly queues: { readonly roomEvents: string };
};

/** The session to close, as the operator names it. `at` is the time of its end; by default that of its latest event. */
export type SessionToClose = {
  readonly organizationId: OrganizationId;
  readonly roomSessionId: string;
  readonly at?: string | undefined;
};

/** A session with at least one event that counts. */
type ShownSession = SessionRecord & { readonly startedAt: string };

/**
 * Closes a session that the platform did not end: sends an inferred end for each room in which it is open. Returns a text that says
 * what was done. Throws a `UserError` for a session that is unknown, has ended, or cannot end at this time. It is safe to repeat.
 */
export async function closeSession(
  deployment: SessionDeployment,
  session: SessionToClose,
  now: () => Date = () => new Date(),
): Promise<string> {
  const roomSessionId = parsedId(session.roomSessionId);
  const at = session.at === undefined ? undefined : parsedTime(session.at, now());
  const found = await findSessions(deployment, { ...session, roomSessionId }, now());
  const open = found.filter(({ endedAt }) => endedAt === null);
  if (open.length === 0) throw new UserError(alreadyEnded(roomSessionId, found));
  for (const { roomName, asOf } of open)
    if (at !== undefined && asOf !== null && at < asOf)
      throw new UserError(
        `--at must not be before the latest event of the session in ${roomName}, which is at ${asOf}. Without --at, ` +
          'the session ends at that time.',
      );
  const ends = open.map((key) => inferredEnd(key, at ?? key.asOf ?? key.startedAt, 'operator'));
  const sender = messageSender<InferredEnd>(deployment.sqs, deployment.queues.roomEvents);
  await sender.send(session.organizationId, ends);
  return describeEnds(roomSessionId, ends);
}

async function findSessions(
  { documents, tables }: SessionDeployment,
  { organizationId, roomSessionId }: SessionToClose,
  now: Date,
): Promise<ShownSession[]> {
  const log = sessionLog();
  const blocks = await insightFacts(documents, tables.insightFacts).readBlocks({ organizationId, roomSessionId }, 0);
  for (const block of blocks) log.append(block);
  const sessions = sessionRepository(documents, tables.roomSessions);
  const keys = [...log.rooms].map((roomName) => ({ organizationId, roomName, roomSessionId }));
  const stored = (await Promise.all(keys.map((key) => sessions.find(key)))).filter((row) => row !== undefined);
  const shown = stored.filter((row): row is ShownSession => row.startedAt !== null);
  if (shown.length === 0)
    throw new UserError(
      `There is no session ${roomSessionId} of the organization ${organizationId}, or its events have expired or were taken back.`,
    );
  if (!log.isComplete || refusalOfClosed(shown, now))
    throw new UserError(`The session ${roomSessionId} accepts no more events: some have expired or expire soon.`);
  return shown;
}

function parsedId(text: string): string {
  const parsed = Uuid.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UserError(`The id of a session must be a UUID, not "${text}".`);
}

function parsedTime(text: string, now: Date): string {
  const parsed = Timestamp.safeParse(text);
  if (!parsed.success) throw new UserError(`--at ${parsed.error.issues[0]?.message}, not "${text}".`);
  if (parsed.data > now.toISOString()) throw new UserError(`--at must not be in the future, and ${parsed.data} is.`);
  return parsed.data;
}

function alreadyEnded(roomSessionId: string, found: readonly ShownSession[]): string {
  const ends = found.map(({ roomName, endedAt }) => `in ${roomName} at ${endedAt}`).join(', ');
  return `The session ${roomSessionId} has ended already: ${ends}. Nothing was changed.`;
}

function describeEnds(roomSessionId: string, ends: readonly InferredEnd[]): string {
  const lines = ends.map(({ id, createdAt, data }) => `  in ${data.roomName} at ${createdAt}, with the event ${id}`);
  return [
    `Closed the session ${roomSessionId}:`,
    ...lines,
    'The insights show it within seconds, with "end" in the completeness of the session. If somebody joins or leaves',
    'the session at a later time, or if the platform sends an end, the session counts as if it had not been closed.',
  ].join('\n');
}
