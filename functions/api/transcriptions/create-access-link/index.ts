import { STSClient } from '@aws-sdk/client-sts';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { accessLinks } from '#shared/adapters/s3/access-links.ts';
import { linkCredentials } from '#shared/adapters/sts/link-credentials.ts';
import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readAwsEnv, readEnv, readRetentionDays } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptsBucket, linkRoleArn, ...env } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptsBucket: envNames.transcriptsBucket,
  linkRoleArn: envNames.transcriptLinkRoleArn,
  ...admissionEnv,
});
const { region, s3Endpoint } = readAwsEnv();

const documents = documentClient();

export const handler = createHandler({
  transcriptions: transcriptionRepository(documents, transcriptions),
  links: accessLinks({
    bucket: transcriptsBucket,
    region,
    endpoint: s3Endpoint,
    credentialsFor: linkCredentials(new STSClient(clientDefaults), linkRoleArn),
  }),
  transcriptsBucket,
  retentionDays: readRetentionDays('transcript'),
  admission: admissionFromEnv(documents, env),
});
