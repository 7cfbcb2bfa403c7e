import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import type { OptionDefaults } from '#shared/domain/transcriptions/effective-options.ts';
import type { OptionDefaultsReader } from '#shared/use-cases/transcriptions/ports.ts';
import { optionDefaultsKey } from './keys.ts';

const Row = z.object({ options: TranscriptionOptions });

/** The defaults of organizations, for the operators' commands. */
export type OrganizationDefaults = {
  find(organizationId: OrganizationId): Promise<OptionDefaults | undefined>;
  /** Replaces the defaults that were read. Undefined: there are none. Returns false if they have changed since. */
  replace(
    organizationId: OrganizationId,
    asRead: OptionDefaults | undefined,
    next: OptionDefaults | undefined,
  ): Promise<boolean>;
};

/** Reads and stores the defaults of organizations. Each organization has one row. */
export function organizationDefaults(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  TableName: string,
): OrganizationDefaults {
  return {
    async find(organizationId) {
      const { Item } = await documents.send(
        new GetCommand({ TableName, Key: optionDefaultsKey(organizationId), ConsistentRead: true }),
      );
      return Item && Row.parse(Item).options;
    },

    async replace(organizationId, asRead, options) {
      const Key = optionDefaultsKey(organizationId);
      const unchanged = {
        TableName,
        ConditionExpression: asRead ? '#options = :asRead' : 'attribute_not_exists(#options)',
        ExpressionAttributeNames: { '#options': 'options' },
        ...(asRead && { ExpressionAttributeValues: { ':asRead': asRead } }),
      };
      try {
        if (options) await documents.send(new PutCommand({ ...unchanged, Item: { ...Key, options } }));
        else await documents.send(new DeleteCommand({ ...unchanged, Key }));
        return true;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return false;
      }
    },
  };
}

/** The defaults that a new transcription has: those of its organization, which count before those of the stage. */
export function optionDefaults(
  { find }: Pick<OrganizationDefaults, 'find'>,
  ofStage: () => OptionDefaults,
): OptionDefaultsReader {
  return {
    async of(organizationId) {
      return [(await find(organizationId)) ?? {}, ofStage()];
    },
  };
}

/** The defaults of the stage, from its settings. Throws if a setting is not what the stack can set. */
export function stageDefaults(settings: { readonly language: string; readonly maxSpeakers: string }): OptionDefaults {
  return TranscriptionOptions.parse({ language: settings.language, maxSpeakers: Number(settings.maxSpeakers) });
}
