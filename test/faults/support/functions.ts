import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createHandler as createGetParticipant } from '#functions/api/insights/get-participant/handler.ts';
import { createHandler as createGetSessionNetwork } from '#functions/api/insights/get-session-network/handler.ts';
import { createHandler as createListParticipants } from '#functions/api/insights/list-participants/handler.ts';
import { createHandler as createListRooms } from '#functions/api/insights/list-room-insights/handler.ts';
import { createHandler as createListRoomSessions } from '#functions/api/insights/list-room-session-insights/handler.ts';
import { createHandler as createListUsage } from '#functions/api/insights/list-usage/handler.ts';
import { createHandler as createLink } from '#functions/api/links/create-access-link/handler.ts';
import { createHandler as createFollow } from '#functions/api/links/follow-access-link/handler.ts';
import { createHandler as createRevoke } from '#functions/api/links/revoke-access-links/handler.ts';
import { createHandler as createReceiveHook } from '#functions/api/platforms/receive-hook/handler.ts';
import { createHandler as createBulkDelete } from '#functions/api/transcriptions/bulk-delete-transcriptions/handler.ts';
import { createHandler as createCorrectSpeaker } from '#functions/api/transcriptions/correct-speaker/handler.ts';
import { createHandler as createCreate } from '#functions/api/transcriptions/create-transcription/handler.ts';
import { createHandler as createDelete } from '#functions/api/transcriptions/delete-transcription/handler.ts';
import { createHandler as createGet } from '#functions/api/transcriptions/get-transcription/handler.ts';
import { createHandler as createList } from '#functions/api/transcriptions/list-transcriptions/handler.ts';
import { createHandler as createUndoCorrection } from '#functions/api/transcriptions/undo-speaker-correction/handler.ts';
import { createHandler as createCloseIdle } from '#functions/workers/insights/close-idle-sessions/handler.ts';
import { createHandler as createSettle } from '#functions/workers/insights/settle-sessions/handler.ts';
import { createHandler as createPutEvents } from '#functions/workers/notices/put-notice-events/handler.ts';
import { createHandler as createRecordSamples } from '#functions/workers/platforms/record-network-samples/handler.ts';
import { createHandler as createRecord } from '#functions/workers/platforms/record-room-events/handler.ts';
import { createHandler as createTranslate } from '#functions/workers/platforms/translate-hooks/handler.ts';
import { createHandler as createDeleteWorker } from '#functions/workers/transcriptions/delete-transcriptions/handler.ts';
import { createHandler as createFinish } from '#functions/workers/transcriptions/finish-transcription/handler.ts';
import { createHandler as createMerge } from '#functions/workers/transcriptions/merge-transcription/handler.ts';
import { createHandler as createPrepareMedia } from '#functions/workers/transcriptions/prepare-media/handler.ts';
import { createHandler as createReconcile } from '#functions/workers/transcriptions/reconcile-transcriptions/handler.ts';
import { createHandler as createStart } from '#functions/workers/transcriptions/start-transcription/handler.ts';
import { createHandler as createWriteTranscript } from '#functions/workers/transcriptions/write-transcript/handler.ts';
import { createHandler as createDeliver } from '#functions/workers/webhooks/deliver-notices/handler.ts';
import { createHandler as createPlanDeliveries } from '#functions/workers/webhooks/plan-deliveries/handler.ts';
import { createHandler as createRelay } from '#functions/workers/webhooks/relay-notices/handler.ts';
import { createHandler as createReplay } from '#functions/workers/webhooks/replay-notices/handler.ts';
import { createHandler as createSweep } from '#functions/workers/webhooks/sweep-notices/handler.ts';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';
import { accessLinks } from '#shared/adapters/links/access-links.ts';
import { inspection, look, mediaInspector } from '#shared/adapters/media/media-inspector.ts';
import { mediaPreparer } from '#shared/adapters/media/media-preparer.ts';
import { noticeBus } from '#shared/adapters/notices/notice-bus.ts';
import { connectionSecrets } from '#shared/adapters/platforms/connection-secrets.ts';
import { hookFiles } from '#shared/adapters/platforms/hook-files.ts';
import { manifestFiles } from '#shared/adapters/platforms/manifest-files.ts';
import { type TranscribeJobs, transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { parseTranscribeOutput } from '#shared/adapters/transcriptions/transcribe-output.ts';
import { transcriptFiles } from '#shared/adapters/transcriptions/transcript-files.ts';
import { usualSampleRateMs } from '#shared/contracts/insights/network-samples.ts';
import type {
  BulkDeleteMessage,
  HookMessage,
  MediaPreparationMessage,
  NoticeMessage,
  NoticeReplayMessage,
  TranscribeJobStateChange,
  TranscriptionJobMessage,
  TranscriptionMergeMessage,
  WebhookRunMessage,
} from '#shared/contracts/messages.ts';
import type { InferredEnd } from '#shared/domain/insights/session/inferred-end.ts';
import type { NewEvent } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { activityRequests } from '#shared/queue/activity-requests.ts';
import { messageSender } from '#shared/queue/send.ts';
import { transcriptChanges } from '#shared/queue/transcript-changes.ts';
import { connectionSecretPrefix } from '#shared/runtime/names.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { idleSessions } from '#shared/storage/insights/idle-sessions.ts';
import { participantLister, roomSessionLister } from '#shared/storage/insights/lists.ts';
import { participantFacts } from '#shared/storage/insights/participant-facts.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { sessionNetworkReader } from '#shared/storage/insights/session-network.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { sessionSpeech, speechReader } from '#shared/storage/insights/session-speech.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { settlingSessions } from '#shared/storage/insights/settling-sessions.ts';
import { usageLister } from '#shared/storage/insights/usage-days.ts';
import { linkRepository } from '#shared/storage/links/links.ts';
import { noticeRepository, toNotice } from '#shared/storage/notices/notices.ts';
import { bulkDeleteCeiling } from '#shared/storage/organization/ceilings.ts';
import { idempotentCalls } from '#shared/storage/organization/idempotency.ts';
import { keyRateLimiter, rateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { connectionRepository, rememberedConnections } from '#shared/storage/platforms/connections.ts';
import { platformSessions } from '#shared/storage/platforms/platform-sessions.ts';
import { refusedEventLog } from '#shared/storage/platforms/refused-events.ts';
import { countCorrection } from '#shared/storage/transcriptions/count-correction.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { linkTokenHash } from '#shared/storage/transcriptions/keys.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { optionDefaults, organizationDefaults } from '#shared/storage/transcriptions/option-defaults.ts';
import { recordingRepository } from '#shared/storage/transcriptions/recordings/recordings.ts';
import { recordingRegistration } from '#shared/storage/transcriptions/recordings/registration.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
import { transcriptionRefusal } from '#shared/storage/transcriptions/refusal.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speakers/speaker-changes.ts';
import { speakerRepository, withSpeakers } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { spokenReader } from '#shared/storage/transcriptions/speakers/spoken.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { deliveryRepository } from '#shared/storage/webhooks/deliveries.ts';
import { dueWebhooks } from '#shared/storage/webhooks/due.ts';
import { keptWebhooks } from '#shared/storage/webhooks/kept-webhooks.ts';
import { webhookReplays } from '#shared/storage/webhooks/replays.ts';
import { webhookRuns } from '#shared/storage/webhooks/runs.ts';
import { slowPlaces } from '#shared/storage/webhooks/slow-places.ts';
import { anyTime } from '../../support/http/sqs-events.ts';
import { endpoints, sameSignature } from '../../support/machine.ts';
import type { FakeReceivers } from './notices/fake-receivers.ts';
import { webhookFunctions, webhookStageSecret } from './notices/webhook-functions.ts';
import { attach, type FunctionProcess, retriesOfProcess } from './process.ts';
import type { WorldResources } from './resources.ts';
import type { FakeTranscribe } from './transcriptions/fake-transcribe.ts';

/** The prefix of the names of a world's Transcribe jobs. */
export const jobNamePrefix = 'world';

/** The name of the job of a transcription's work. */
export function jobNameOf({ organizationId, transcriptionId, workId }: Readonly<Record<string, unknown>>): string {
  return `${jobNamePrefix}.${organizationId}.${workId ?? transcriptionId}`;
}
/** How many parts of one transcription run at Transcribe at the same time. */
export const partsAtOnce = 2;

/** The prefix of the secrets of a world's connections. */
export const secretPrefix = connectionSecretPrefix({ deployment: jobNamePrefix });
/** The URL of a world's API. Nobody answers there: tests call functions as the gateway does. */
export const apiUrl = 'https://api.example';

/** After so many days of failures a webhook of a world is disabled. */
export const webhookDisableDays = 5;

/** The claim that names the organization. */
export const organizationClaim = 'client_id';

/** The SDK clients of a world's functions. The process that makes a call applies its fault plan to it. */
export type FunctionClients = ReturnType<typeof functionClients>;

/** Creates the clients that all processes of a world share. */
export function functionClients(resources: WorldResources) {
  const settings = {
    ...clientDefaults,
    retryStrategy: retriesOfProcess,
    region: endpoints.region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  return {
    documents: DynamoDBDocumentClient.from(
      attach(new DynamoDBClient({ ...settings, endpoint: endpoints.dynamodbUrl, signer: sameSignature })),
      { marshallOptions: { removeUndefinedValues: true } },
    ),
    s3: attach(new S3Client({ ...settings, endpoint: resources.url, signer: sameSignature })),
    sqs: attach(withoutDelays(new SQSClient({ ...settings, endpoint: resources.url, signer: sameSignature }))),
    secretsManager: attach(new SecretsManagerClient({ ...settings, endpoint: endpoints.secretsManagerUrl })),
  };
}

/** The settings of a world's stage. */
export type WorldSettings = {
  readonly sessionIdleHours?: number | undefined;
  readonly sessionSettleSeconds?: number | undefined;
  /** Paces the starts of jobs. Without it, they are not paced. */
  readonly paced?: ((jobs: Starts) => Starts) | undefined;
};

type Starts = Pick<TranscribeJobs, 'start'>;

/** What is outside of a world's service. */
export type WorldOutside = { readonly transcribe: Pick<FakeTranscribe, 'client'>; readonly receivers: FakeReceivers };

/** The functions of one process, wired as in their index.ts. They share no state with another process. */
export function functionsOf(
  process: FunctionProcess,
  { documents, s3, sqs, secretsManager }: FunctionClients,
  { tables, queues, buckets, url }: WorldResources,
  { transcribe, receivers }: WorldOutside,
  now: () => Date,
  { sessionIdleHours, sessionSettleSeconds = 60, paced = (jobs) => jobs }: WorldSettings = {},
) {
  const plenty = { pointsPerMinute: 1_000_000, personPointsPerMinute: 1_000_000 };
  const counted = rateLimiter(documents, tables.rateLimits, { ...plenty, now: () => now().getTime() });
  const admission = { organizationClaim, rateLimiter: counted };
  const runOnce = idempotentCalls(documents, tables.idempotencyKeys);
  const recordings = recordingRepository(documents, tables.recordings);
  const transcriptions = transcriptionRepository(documents, tables, { now });
  const tracks = trackRepository(documents, tables.recordingTracks);
  const refusal = transcriptionRefusal(documents, tables, transcriptions, { now });
  const sessions = sessionRepository(documents, tables.roomSessions);
  const connections = connectionRepository(documents, tables.connections);
  const hooks = hookFiles(s3, buckets.transcripts);
  const hookMessages = messageSender<HookMessage>(sqs, queues.platformHooks);
  const inferredEnds = messageSender<InferredEnd>(sqs, queues.roomEvents);
  const keyLimiter = keyRateLimiter(documents, tables.rateLimits, { now: () => now().getTime() });
  const counts = countCorrection(documents, tables, 1_000_000);
  const works = workRepository(documents, tables.transcriptionParts, { now });
  const facts = insightFacts(documents, tables.insightFacts);
  const due = dueTranscriptions(documents, tables.transcriptions);
  const speakers = speakerRepository(documents, tables);
  const changes = speakerChanges(documents, tables, { now });
  const files = withSpeakers(transcriptFiles(s3, buckets.transcripts), speakers);
  const people = sessionPeople(documents, tables.insightFacts);
  const speech = speechReader(documents, tables.insightFacts);
  const sendChange = transcriptChanges(sqs, queues.transcriptChanges);
  const signer = accessLinks({ bucket: buckets.transcripts, region: endpoints.region, endpoint: url, credentialsFor });
  const links = linkRepository(documents, tables.accessLinks);
  const jobs = transcribeJobs(transcribe.client(process), jobNamePrefix, buckets.transcripts);
  const jobMessages = messageSender<TranscriptionJobMessage>(sqs, queues.transcriptionJobs);
  const preparations = messageSender<MediaPreparationMessage>(sqs, queues.mediaPreparation);
  const merges = messageSender<TranscriptionMergeMessage>(sqs, queues.transcriptionMerges);
  const sendMerge = (message: TranscriptionMergeMessage) => merges.send(message.organizationId, [message]);
  const ofParts = { works, partsAtOnce, sendJobs: jobMessages.send, sendMerge };
  const bulkDeletes = messageSender<BulkDeleteMessage>(sqs, queues.bulkDelete);
  const results = messageSender<TranscribeJobStateChange>(sqs, queues.transcriptionResults);
  const notices = noticeRepository(documents, tables.notices);
  const deliveries = deliveryRepository(documents, tables.webhookDeliveries);
  const sendEvents = messageSender<NoticeMessage>(sqs, queues.noticeEvents).send;
  const sendPlans = messageSender<NoticeMessage>(sqs, queues.deliveryPlans).send;
  const sendRuns = messageSender<WebhookRunMessage>(sqs, queues.webhookRuns).send;
  const sendReplays = messageSender<NoticeReplayMessage>(sqs, queues.noticeReplays).send;
  const caller = receivers.caller(process);
  const queue = (name: keyof typeof queues) => ({ sqs, url: queues[name] });

  return {
    ...webhookFunctions({ documents, tables, admission, runOnce, caller, sendRuns, sendReplays, now }),
    createTranscription: createCreate({
      recordings,
      closing: {
        sessions,
        tracks,
        closeMinutes: 15,
      },
      transcriptions,
      optionDefaults: optionDefaults(organizationDefaults(documents, tables.recordings), () => ({})),
      creation: transcriptionCreation(documents, tables, 1_000_000, { now }),
      jobs: jobMessages,
      admission,
      runOnce,
      now,
    }),
    listTranscriptions: createList({
      listTranscriptions: transcriptionLister(documents, tables.transcriptions),
      admission,
    }),
    getTranscription: createGet({ readSpoken: spokenReader(documents, tables), admission }),
    deleteTranscription: createDelete({ transcriptions, works, files, speakers, sendChange, jobs, admission, now }),
    createAccessLink: createLink({
      transcriptions,
      links,
      signer,
      apiUrl,
      transcriptsBucket: buckets.transcripts,
      admission,
      now,
    }),
    revokeAccessLinks: createRevoke({ transcriptions, admission, now }),
    followAccessLink: createFollow({
      transcriptions,
      links,
      signer,
      transcriptsBucket: buckets.transcripts,
      rateLimiter: keyLimiter,
      nameOf: linkTokenHash,
      now,
    }),
    bulkDeleteTranscriptions: createBulkDelete({
      bulkDeletes,
      admission,
      runOnce,
      ceiling: bulkDeleteCeiling(documents, tables.rateLimits, { idsPerHour: 20, now: () => now().getTime() }),
      now,
    }),
    listRoomInsights: createListRooms({ listRooms: roomLister(documents, tables.rooms), admission }),
    listRoomSessionInsights: createListRoomSessions({
      listRoomSessions: roomSessionLister(documents, tables),
      admission,
    }),
    listParticipants: createListParticipants({
      listParticipants: participantLister(documents, tables.participants),
      admission,
    }),
    listUsage: createListUsage({ listUsage: usageLister(documents, tables.usageDays), admission, now }),
    getParticipant: createGetParticipant({
      facts: participantFacts(documents, tables.insightFacts),
      defaultSampleRateMs: usualSampleRateMs,
      admission,
    }),
    getSessionNetwork: createGetSessionNetwork({
      networkOf: sessionNetworkReader(documents, tables.insightFacts, { usual: 30, most: 1_000_000 }), // several pages
      admission,
    }),
    networkSamples: createRecordSamples({
      queue: queue('networkSamples'),
      timeBounds: anyTime,
      facts,
      askForTalk: activityRequests(sendChange, everyFiveMinutes()), // delays are left out here, so each event asks
    }),
    roomEvents: createRecord({
      queue: queue('roomEvents'),
      timeBounds: anyTime,
      facts,
      insights: sessionInsights(documents, tables, facts),
      pause: async () => {},
      registration: recordingRegistration(documents, tables, { now }),
      transcriptions,
      files,
      transcriptsBucket: buckets.transcripts,
      sessionIdleHours,
      sessionSettleSeconds,
      recordRefusals: refusedEventLog(documents, tables, { now: () => now().getTime() }),
      now,
    }),
    transcriptionJobs: createStart({
      queue: queue('transcriptionJobs'),
      transcriptions,
      due,
      inspector: mediaInspector(s3, look),
      counts,
      pieceSeconds: 4 * 3600,
      refusal,
      ...ofParts,
      jobs: paced(jobs),
      jobMessages,
      preparations,
      now,
    }),
    mediaPreparation: createPrepareMedia({
      queue: queue('mediaPreparation'),
      transcriptions,
      due,
      works,
      files,
      tracks,
      people,
      refusal,
      counts,
      inspector: mediaInspector(s3, inspection),
      preparer: mediaPreparer(s3),
      transcriptsBucket: buckets.transcripts,
      pieces: { mixed: 4 * 3600, track: 3600 },
      partsAtOnce,
      preparations,
      jobMessages,
      merges,
      now,
    }),
    transcriptionMerges: createMerge({
      queue: queue('transcriptionMerges'),
      transcriptions,
      works,
      files,
      people,
      speech,
      speakers,
      sendChange,
      parseOutput: parseTranscribeOutput,
      now,
    }),
    correctSpeaker: createCorrectSpeaker({ transcriptions, speakers, changes, people, sendChange, admission }),
    undoSpeakerCorrection: createUndoCorrection({ transcriptions, speakers, changes, sendChange, admission }),
    transcriptChanges: createWriteTranscript({
      queue: queue('transcriptChanges'),
      speech: sessionSpeech(documents, tables.insightFacts),
      transcriptions,
      speakers,
      files,
      facts,
      insights: sessionInsights(documents, tables, facts),
      pause: async () => {},
      sessionIdleHours,
      sessionSettleSeconds,
      now,
    }),
    transcriptionResults: createFinish({
      queue: queue('transcriptionResults'),
      transcriptions,
      due,
      ...ofParts,
      files,
      jobs,
      people,
      speech,
      speakers,
      sendChange,
      parseOutput: parseTranscribeOutput,
      now,
    }),
    receiveHook: createReceiveHook({
      connections: rememberedConnections(connections),
      secrets: connectionSecrets(secretsManager, secretPrefix),
      platforms,
      apiUrl,
      hooks,
      sendHook: (message) => hookMessages.send(message.organizationId, [message], { group: message.connectionId }),
      rateLimiter: keyLimiter,
      now,
    }),
    platformHooks: createTranslate({
      queue: queue('platformHooks'),
      connections,
      hooks,
      sessions: platformSessions(documents, tables.platformSessions, { now, hookDays: 7 }),
      insights: sessions,
      timeBounds: { daysAhead: 1, daysBack: 365 },
      now,
      manifests: manifestFiles(s3),
      platforms,
      buckets,
      sendHooks: ({ organizationId, connectionId }, messages, options) =>
        hookMessages.send(organizationId, messages, { ...options, group: connectionId }),
      sendEvents: messageSender<NewEvent>(sqs, queues.roomEvents).send,
    }),
    closeIdleSessions: createCloseIdle({
      idle: idleSessions(documents, tables.roomSessions),
      sessions,
      send: (end) => inferredEnds.send(end.organizationId, [end]),
      now,
    }),
    settleSessions: createSettle({ settling: settlingSessions(documents, tables), sessions, now }),
    bulkDelete: createDeleteWorker({
      queue: queue('bulkDelete'),
      bulkDeletes,
      transcriptions,
      works,
      files,
      speakers,
      sendChange,
      jobs,
      now,
    }),
    relayNotices: createRelay({ read: toNotice, notices, sendEvents, sendPlans, now }),
    noticeEvents: createPutEvents({
      queue: queue('noticeEvents'),
      putNotices: noticeBus(receivers.bus(process), 'bus'),
    }),
    deliveryPlans: createPlanDeliveries({
      queue: queue('deliveryPlans'),
      webhooks: keptWebhooks(documents, tables.webhooks, { now }),
      deliveries,
      sendRuns,
      now,
    }),
    webhookRuns: createDeliver({
      queue: queue('webhookRuns'),
      runs: webhookRuns(documents, tables),
      slowPlaces: slowPlaces(documents, tables.rateLimits),
      deliveries,
      notices,
      caller,
      secret: { read: async () => webhookStageSecret },
      disableDays: webhookDisableDays,
      sendRuns,
      now,
      random: () => 0.5,
    }),
    noticeReplays: createReplay({
      queue: queue('noticeReplays'),
      replays: webhookReplays(documents, tables.webhooks, now),
      notices,
      deliveries,
      sendReplays,
      sendRuns,
      now,
    }),
    sweepNotices: createSweep({
      notices,
      due: dueWebhooks(documents, tables.webhooks),
      sendEvents,
      sendPlans,
      sendRuns,
      now,
    }),
    reconcile: createReconcile({
      transcriptions,
      due,
      ...ofParts,
      files,
      jobs,
      sendResult: (owner, result) => results.send(owner.organizationId, [jobs.stateChange(owner, result)]),
      now,
    }),
  };
}

/** Credentials that sign links. The world's S3 accepts any signature. */
async function credentialsFor(validForSeconds: number) {
  if (validForSeconds > 3540) return undefined;
  const expiration = new Date(Date.now() + validForSeconds * 1000);
  return { accessKeyId: 'test', secretAccessKey: 'test', sessionToken: 'test', expiration };
}

/** Sends without a delay, because the world controls the time. */
function withoutDelays(sqs: SQSClient): SQSClient {
  sqs.middlewareStack.add(
    (next) => (args) => {
      const input = args.input as { Entries?: { DelaySeconds?: number }[]; VisibilityTimeout?: number };
      if (input.VisibilityTimeout !== undefined) input.VisibilityTimeout = 0;
      for (const entry of input.Entries ?? []) delete entry.DelaySeconds;
      return next(args);
    },
    { step: 'initialize', name: 'without-delays' },
  );
  return sqs;
}

/** A clock of which each look is five minutes after the one before. */
function everyFiveMinutes(): () => number {
  let looks = 0;
  return () => ++looks * 300_000;
}
