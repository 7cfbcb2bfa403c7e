import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../support/machine.ts';
import type { World } from '../support/world.ts';

const documents = DynamoDBDocumentClient.from(dynamodb);

/** True for a message of an organization, or of one of its Transcribe jobs. */
export function belongsTo(organizationId: string, message: unknown): boolean {
  const { organizationId: owner, detail } = message as {
    readonly organizationId?: unknown;
    readonly detail?: { readonly TranscriptionJobName?: string };
  };
  return owner === organizationId || (detail?.TranscriptionJobName ?? '').includes(`.${organizationId}.`);
}

/** Everything in the tables, buckets and jobs of a world that names an organization. */
export async function belongingsOf({ resources, transcribe }: World, organizationId: string): Promise<string[]> {
  const found: string[] = [];
  for (const TableName of Object.values(resources.tables)) {
    for await (const { Items = [] } of paginateScan({ client: documents }, { TableName }))
      found.push(...Items.map((item) => JSON.stringify(item)));
  }
  for (const Bucket of Object.values(resources.buckets)) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: resources.s3 }, { Bucket }))
      found.push(...Contents.map(({ Key }) => String(Key)));
  }
  found.push(...transcribe.jobs.keys());
  return found.filter((text) => text.includes(organizationId));
}
