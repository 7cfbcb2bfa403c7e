import { STSClient } from '@aws-sdk/client-sts';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { accessLinks } from '#shared/adapters/links/access-links.ts';
import { linkCredentials } from '#shared/adapters/links/link-credentials.ts';
import { readAwsEnv, readEnv, readRetentionDays } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { linkRepository } from '#shared/storage/links/links.ts';
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
