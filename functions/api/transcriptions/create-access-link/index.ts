import { STSClient } from '@aws-sdk/client-sts';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { accessLinks } from '#shared/adapters/s3/access-links.ts';
import { linkCredentials } from '#shared/adapters/sts/link-credentials.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readAwsEnv, readEnv, readRetentionDays } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { linkRepository } from '#shared/storage/transcriptions/links.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { transcriptions, links, transcriptsBucket, linkRoleArn, apiUrl } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  links: envNames.accessLinksTable,
  transcriptsBucket: envNames.transcriptsBucket,
  linkRoleArn: envNames.transcriptLinkRoleArn,
  apiUrl: envNames.apiUrl,
});
const { region, s3Endpoint: endpoint } = readAwsEnv();
const documents = documentClient();
const credentialsFor = linkCredentials(new STSClient(clientDefaults), linkRoleArn);

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  links: linkRepository(documents, links),
  signer: accessLinks({ bucket: transcriptsBucket, region, endpoint, credentialsFor }),
  apiUrl,
  transcriptsBucket,
  retentionDays: readRetentionDays('transcript'),
  admission: admissionFromEnv(documents),
});
