import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { correlated } from '#functions/wiring/correlated.ts';
import { clientDefaults, mediaClientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { inspection, mediaInspector } from '#shared/adapters/media/media-inspector.ts';
import { mediaPreparer } from '#shared/adapters/media/media-preparer.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import { messageSender } from '#shared/queue/send.ts';
import { readEnv, readSpeakerRoles } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { countCorrection } from '#shared/storage/transcriptions/count-correction.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
import { transcriptionRefusal } from '#shared/storage/transcriptions/refusal.ts';
import { uncountedTranscriptions } from '#shared/storage/transcriptions/uncounted.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { createHandler } from './handler.ts';

const env = readEnv({
  ...{ transcriptions: envNames.transcriptionsTable, parts: envNames.transcriptionPartsTable },
  ...{ tracks: envNames.recordingTracksTable, rateLimits: envNames.rateLimitsTable },
  ...{ insightFacts: envNames.insightFactsTable, notices: envNames.noticesTable },
  ...{ transcriptsBucket: envNames.transcriptsBucket, preparations: envNames.mediaPreparationQueue },
  ...{ jobs: envNames.transcriptionJobsQueue, merges: envNames.transcriptionMergesQueue },
  ...{ minutesPerDay: envNames.transcriptionMinutesPerDay, partsAtOnce: envNames.transcriptionPartsAtOnce },
  ...{ pieceMinutes: envNames.pieceMinutes, trackPieceMinutes: envNames.trackPieceMinutes },
});
const documents = documentClient();
const sqs = new SQSClient(clientDefaults);
const s3 = new S3Client(mediaClientDefaults);
const store = uncountedTranscriptions(documents, env);

export const handler = createHandler({
  queue: { sqs, url: env.preparations },
  transcriptions: correlated(store),
  refusal: transcriptionRefusal(documents, env, store),
  counts: countCorrection(documents, env, Number(env.minutesPerDay)),
  due: dueTranscriptions(documents, env.transcriptions),
  tracks: trackRepository(documents, env.tracks),
  people: sessionPeople(documents, env.insightFacts, { speakerRoles: readSpeakerRoles() }),
  works: workRepository(documents, env.parts),
  files: transcriptFiles(s3, env.transcriptsBucket),
  inspector: mediaInspector(s3, inspection),
  preparer: mediaPreparer(s3),
  transcriptsBucket: env.transcriptsBucket,
  pieces: { mixed: Number(env.pieceMinutes) * 60, track: Number(env.trackPieceMinutes) * 60 },
  partsAtOnce: Number(env.partsAtOnce),
  preparations: messageSender(sqs, env.preparations),
  jobMessages: messageSender(sqs, env.jobs),
  merges: messageSender(sqs, env.merges),
});
