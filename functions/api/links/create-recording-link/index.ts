import { STSClient } from '@aws-sdk/client-sts';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { accessLinks } from '#shared/adapters/links/access-links.ts';
import { linkCredentials } from '#shared/adapters/links/link-credentials.ts';
import { lookAtFile } from '#shared/adapters/links/look-at-file.ts';
import { readAwsEnv, readEnv, readRecordingLinks, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import type { RecordingFiles } from '#shared/use-cases/links/create-recording-link.ts';
import { createHandler } from './handler.ts';

const { transcriptions, recordingTracks } = readEnv(tableEnv('transcriptions', 'recordingTracks'));
const { region, s3Endpoint: endpoint } = readAwsEnv();
const documents = documentClient();

function recordingFiles(): RecordingFiles | undefined {
  const links = readRecordingLinks();
  if (!links) return undefined;
  const credentialsFor = linkCredentials(new STSClient(clientDefaults), links.roleArn);
  const { bucket } = links;
  return { bucket, signer: accessLinks({ bucket, region, endpoint, credentialsFor }), look: lookAtFile() };
}

export const handler = createHandler({
  transcriptions: untoldTranscriptions(documents, transcriptions),
  tracks: trackRepository(documents, recordingTracks),
  files: recordingFiles(),
  admission: admissionFromEnv(documents),
});
