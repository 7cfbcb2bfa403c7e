import { SQSClient } from '@aws-sdk/client-sqs';
import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import type { TranscriptionJobMessage } from '#shared/contracts/messages.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { idempotentCalls } from '#shared/storage/organization/idempotency.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { optionDefaults, organizationDefaults, stageDefaults } from '#shared/storage/transcriptions/option-defaults.ts';
import { recordingRepository } from '#shared/storage/transcriptions/recordings/recordings.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
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
