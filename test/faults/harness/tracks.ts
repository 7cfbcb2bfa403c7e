import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { recordingKey } from '#shared/storage/transcriptions/keys.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
import { dynamodb } from '../../support/machine.ts';
import type { ReportedTrack } from './knowledge.ts';
import type { Scene } from './scene.ts';

const documents = DynamoDBDocumentClient.from(dynamodb);

/** Throws unless each recording has exactly the latest report of each of its tracks, and counts them. */
export async function expectLatestTracks({ world, knowledge }: Scene): Promise<void> {
  const { recordings, recordingTracks } = world.resources.tables;
  for (const [key, reports] of knowledge.tracks) {
    const [name, recordingId = ''] = key.split(' ');
    const organizationId = OrganizationId.parse(name);
    const latest = new Map(reports.toSorted(byReport).map((report) => [report.participantId, report.key]));
    const tracks = await trackRepository(documents, recordingTracks).listTracks(organizationId, recordingId);
    expect(tracks.map(({ participantId, location }) => [participantId, location.key])).toEqual([...latest].toSorted());
    const get = { TableName: recordings, Key: recordingKey(organizationId, recordingId), ConsistentRead: true };
    const { Item } = await documents.send(new GetCommand(get));
    expect(Item).toMatchObject({ trackCount: latest.size, roomName: '/standup' });
  }
}

function byReport(one: ReportedTrack, other: ReportedTrack): number {
  const orderOf = ({ reportedAt, reportedBy }: ReportedTrack) => `${reportedAt} ${reportedBy}`;
  return orderOf(one) < orderOf(other) ? -1 : 1;
}
