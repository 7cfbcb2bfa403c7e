import { S3Client } from '@aws-sdk/client-s3';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { transcriptFiles } from '#shared/adapters/s3/transcript-files.ts';
import { transcribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const { transcriptions, transcriptionParts, transcriptSpeakers, transcriptsBucket, jobNamePrefix, ...env } = readEnv({
  transcriptions: envNames.transcriptionsTable,
  transcriptionParts: envNames.transcriptionPartsTable,
  transcriptSpeakers: envNames.transcriptSpeakersTable,
  transcriptsBucket: envNames.transcriptsBucket,
  jobNamePrefix: envNames.jobNamePrefix,
  ...admissionEnv,
});
const documents = documentClient();

export const handler = createHandler({
  transcriptions: transcriptionRepository(documents, transcriptions),
  works: workRepository(documents, transcriptionParts),
  files: withSpeakers(
    transcriptFiles(new S3Client(clientDefaults), transcriptsBucket),
    speakerRepository(documents, transcriptSpeakers),
  ),
  jobs: transcribeJobs(new TranscribeClient(clientDefaults), jobNamePrefix, transcriptsBucket),
  admission: admissionFromEnv(documents, env),
});
