import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { RoomSessionInsight } from '#shared/contracts/insights/insights.ts';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { toNotice } from '#shared/storage/notices/notices.ts';
import { dynamodb } from '../../../support/machine.ts';
import type { World } from '../world.ts';

const client = DynamoDBDocumentClient.from(dynamodb);

/** The notices of an organization, by session and then by revision. */
export async function noticesOf(world: World, organizationId: string): Promise<OrganizationNotice[]> {
  const pages = paginateQuery(
    { client },
    {
      TableName: world.resources.tables.notices,
      KeyConditionExpression: 'organizationId = :organization',
      ExpressionAttributeValues: { ':organization': organizationId },
      ConsistentRead: true,
    },
  );
  const notices: OrganizationNotice[] = [];
  for await (const { Items = [] } of pages) notices.push(...Items.map(toNotice));
  return notices.toSorted((one, other) => one.data.revision - other.data.revision);
}

/** The sessions of an organization's room as insights show them. */
export async function sessionsOf(
  world: World,
  organizationId: string,
  roomName = '/standup',
): Promise<RoomSessionInsight[]> {
  const query = new URLSearchParams({ roomName, limit: '100' }).toString();
  const answer = await world.api('listRoomSessionInsights', { organizationId, query });
  if (answer === 'killed' || answer.status !== 200) throw new Error(JSON.stringify(answer));
  return (answer.body as { readonly results: RoomSessionInsight[] }).results;
}

/**
 * Expects that the notices of a session number its changes without a gap, that each id is used once, and that the last one tells what
 * insights show.
 */
export function expectTold(notices: readonly OrganizationNotice[], session: RoomSessionInsight, what = ''): void {
  expect(
    notices.map(({ data }) => data.revision),
    `${what}: the revisions`,
  ).toEqual(notices.map((_notice, index) => index + 1));
  expect(new Set(notices.map(({ id }) => id)).size, `${what}: each id is used once`).toBe(notices.length);
  const last = notices.at(-1);
  expect(last?.type, what).toBe(session.endedAt === null ? 'room.session.started' : 'room.session.ended');
  const { createdAt: _, endAt: __, ...figures } = session;
  const { roomSessionId, roomName } = session;
  if (session.endedAt === null) expect(last?.data, what).toMatchObject({ roomSessionId, roomName });
  else expect(last?.data, what).toEqual({ revision: notices.length, ...figures });
}
