import { STSClient } from '@aws-sdk/client-sts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { accessLinks } from '#shared/adapters/links/access-links.ts';
import { linkCredentials } from '#shared/adapters/links/link-credentials.ts';
import { readAwsEnv, readEnv, readRetentionDays, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { linkRepository } from '#shared/storage/links/links.ts';
import { keyRateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { linkTokenHash } from '#shared/storage/transcriptions/keys.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions, links, rateLimits, transcriptsBucket, linkRoleArn } = readEnv({
  ...tableEnv('transcriptions', 'rateLimits'),
  links: envNames.accessLinksTable,
  transcriptsBucket: envNames.transcriptsBucket,
  linkRoleArn: envNames.transcriptLinkRoleArn,
});
const { region, s3Endpoint: endpoint } = readAwsEnv();
const documents = documentClient();
const credentialsFor = linkCredentials(new STSClient(clientDefaults), linkRoleArn);

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  links: linkRepository(documents, links),
  signer: accessLinks({ bucket: transcriptsBucket, region, endpoint, credentialsFor }),
  transcriptsBucket,
  retentionDays: readRetentionDays('transcript'),
  rateLimiter: keyRateLimiter(documents, rateLimits),
  nameOf: linkTokenHash,
});
