import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';
import { admissionFromEnv } from '#shared/admission-from-env.ts';
import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { messageSender } from '#shared/queue/send.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { idempotentCalls } from '#shared/storage/idempotency.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { optionDefaults, organizationDefaults, stageDefaults } from '#shared/storage/transcriptions/option-defaults.ts';
import { recordingRepository } from '#shared/storage/transcriptions/recordings.ts';
import { trackRepository } from '#shared/storage/transcriptions/tracks.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { createHandler } from './handler.ts';

const { recordings, recordingTracks, roomSessions, transcriptions, minutesPerDay, closeMinutes, ...env } = readEnv({
  ...tableEnv(
    'recordings',
    'recordingTracks',
    'roomSessions',
    'transcriptions',
    'notices',
    'idempotencyKeys',
    'rateLimits',
  ),
  minutesPerDay: envNames.transcriptionMinutesPerDay,
  closeMinutes: envNames.recordingCloseMinutes,
  language: envNames.transcriptionLanguage,
  maxSpeakers: envNames.transcriptionMaxSpeakers,
  jobsQueueUrl: envNames.transcriptionJobsQueue,
});
const documents = documentClient();

export const handler = createHandler({
  recordings: recordingRepository(documents, recordings),
  closing: {
    sessions: sessionRepository(documents, roomSessions),
    tracks: trackRepository(documents, recordingTracks),
    closeMinutes: Number(closeMinutes),
  },
  transcriptions: untoldTranscriptions(documents, transcriptions),
  optionDefaults: optionDefaults(organizationDefaults(documents, recordings), () => stageDefaults(env)),
  creation: transcriptionCreation(documents, { transcriptions, recordings, ...env }, Number(minutesPerDay)),
  jobs: messageSender<TranscriptionJobMessage>(new SQSClient(clientDefaults), env.jobsQueueUrl),
  runOnce: idempotentCalls(documents, env.idempotencyKeys),
  admission: admissionFromEnv(documents),
});
