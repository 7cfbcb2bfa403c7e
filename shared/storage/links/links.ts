import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import type { LinkStore } from '#shared/use-cases/links/ports.ts';
import { linkKey } from '../transcriptions/keys.ts';

const Row = z.object({
  organizationId: OrganizationId,
  transcriptionId: z.string(),
  format: z.optional(z.enum(transcriptFormats)),
  createdAt: z.string(),
  validUntil: z.string(),
  linksValidFrom: z.optional(z.string()),
});

/** Implements `LinkStore` with DynamoDB. A read is strongly consistent, so that a new link works at once. */
export function linkRepository(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): LinkStore {
  return {
    async add(token, link) {
      const Item = {
        ...link,
        ...linkKey(token),
        [attributeNames.expiresAt]: deadlines.linkRowExpiry(link.validUntil),
      };
      await documents.send(new PutCommand({ TableName: tableName, Item }));
    },

    async find(token) {
      const get = new GetCommand({ TableName: tableName, Key: linkKey(token), ConsistentRead: true });
      const { Item } = await documents.send(get);
      return Item && Row.parse(Item);
    },
  };
}
