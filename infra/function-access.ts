import { access as listRefusedEvents } from '../functions/api/events/list-refused-events/access.ts';
import { access as receiveHook } from '../functions/api/events/receive-hook/access.ts';
import { access as getParticipant } from '../functions/api/insights/get-participant/access.ts';
import { access as getSessionNetwork } from '../functions/api/insights/get-session-network/access.ts';
import { access as listParticipants } from '../functions/api/insights/list-participants/access.ts';
import { access as listRoomInsights } from '../functions/api/insights/list-room-insights/access.ts';
import { access as listRoomSessionInsights } from '../functions/api/insights/list-room-session-insights/access.ts';
import { access as listUsage } from '../functions/api/insights/list-usage/access.ts';
import { access as bulkDeleteTranscriptions } from '../functions/api/transcriptions/bulk-delete-transcriptions/access.ts';
import { access as correctSpeaker } from '../functions/api/transcriptions/correct-speaker/access.ts';
import { access as createAccessLink } from '../functions/api/transcriptions/create-access-link/access.ts';
import { access as createRecordingLink } from '../functions/api/transcriptions/create-recording-link/access.ts';
import { access as createTranscription } from '../functions/api/transcriptions/create-transcription/access.ts';
import { access as deleteTranscription } from '../functions/api/transcriptions/delete-transcription/access.ts';
import { access as followAccessLink } from '../functions/api/transcriptions/follow-access-link/access.ts';
import { access as getTranscription } from '../functions/api/transcriptions/get-transcription/access.ts';
import { access as listTranscriptions } from '../functions/api/transcriptions/list-transcriptions/access.ts';
import { access as revokeAccessLinks } from '../functions/api/transcriptions/revoke-access-links/access.ts';
import { access as undoSpeakerCorrection } from '../functions/api/transcriptions/undo-speaker-correction/access.ts';
import { access as createWebhook } from '../functions/api/webhooks/create-webhook/access.ts';
import { access as deleteWebhook } from '../functions/api/webhooks/delete-webhook/access.ts';
import { access as getWebhook } from '../functions/api/webhooks/get-webhook/access.ts';
import { access as listNotices } from '../functions/api/webhooks/list-notices/access.ts';
import { access as listWebhookDeliveries } from '../functions/api/webhooks/list-webhook-deliveries/access.ts';
import { access as listWebhooks } from '../functions/api/webhooks/list-webhooks/access.ts';
import { access as replayWebhook } from '../functions/api/webhooks/replay-webhook/access.ts';
import { access as rotateWebhookSecret } from '../functions/api/webhooks/rotate-webhook-secret/access.ts';
import { access as testWebhook } from '../functions/api/webhooks/test-webhook/access.ts';
import { access as updateWebhook } from '../functions/api/webhooks/update-webhook/access.ts';
import { access as authorizeRequest } from '../functions/authorizers/authorize-request/access.ts';
import { access as closeIdleSessions } from '../functions/workers/close-idle-sessions/access.ts';
import { access as deleteTranscriptions } from '../functions/workers/delete-transcriptions/access.ts';
import { access as deliverNotices } from '../functions/workers/deliver-notices/access.ts';
import { access as finishTranscription } from '../functions/workers/finish-transcription/access.ts';
import { access as mergeTranscription } from '../functions/workers/merge-transcription/access.ts';
import { access as planDeliveries } from '../functions/workers/plan-deliveries/access.ts';
import { access as prepareMedia } from '../functions/workers/prepare-media/access.ts';
import { access as putNoticeEvents } from '../functions/workers/put-notice-events/access.ts';
import { access as reconcileTranscriptions } from '../functions/workers/reconcile-transcriptions/access.ts';
import { access as recordNetworkSamples } from '../functions/workers/record-network-samples/access.ts';
import { access as recordRoomEvents } from '../functions/workers/record-room-events/access.ts';
import { access as relayNotices } from '../functions/workers/relay-notices/access.ts';
import { access as replayNotices } from '../functions/workers/replay-notices/access.ts';
import { access as settleSessions } from '../functions/workers/settle-sessions/access.ts';
import { access as startTranscription } from '../functions/workers/start-transcription/access.ts';
import { access as sweepNotices } from '../functions/workers/sweep-notices/access.ts';
import { access as translateHooks } from '../functions/workers/translate-hooks/access.ts';
import { access as writeTranscript } from '../functions/workers/write-transcript/access.ts';
import type { Access } from '../shared/access.ts';
import type { OperationId } from '../shared/contracts/endpoints.ts';
import type { SelfAuthenticatedOperationId } from '../shared/contracts/self-authenticated-endpoints.ts';
import type { WorkerName } from './workers.ts';

type FunctionName = OperationId | SelfAuthenticatedOperationId | WorkerName | 'authorize-request';

/**
 * The AWS permissions of every function. A function that is missing here does not compile. Public endpoints are not in the
 * table, because their functions have no AWS permissions.
 */
export const functionAccess: Readonly<Record<FunctionName, Access>> = {
  'list-refused-events': listRefusedEvents,
  'receive-hook': receiveHook,
  'get-participant': getParticipant,
  'get-session-network': getSessionNetwork,
  'list-participants': listParticipants,
  'list-room-insights': listRoomInsights,
  'list-room-session-insights': listRoomSessionInsights,
  'list-usage': listUsage,
  'bulk-delete-transcriptions': bulkDeleteTranscriptions,
  'correct-speaker': correctSpeaker,
  'create-access-link': createAccessLink,
  'create-recording-link': createRecordingLink,
  'create-transcription': createTranscription,
  'delete-transcription': deleteTranscription,
  'follow-access-link': followAccessLink,
  'get-transcription': getTranscription,
  'list-transcriptions': listTranscriptions,
  'revoke-access-links': revokeAccessLinks,
  'undo-speaker-correction': undoSpeakerCorrection,
  'create-webhook': createWebhook,
  'delete-webhook': deleteWebhook,
  'get-webhook': getWebhook,
  'list-notices': listNotices,
  'list-webhook-deliveries': listWebhookDeliveries,
  'list-webhooks': listWebhooks,
  'replay-webhook': replayWebhook,
  'rotate-webhook-secret': rotateWebhookSecret,
  'test-webhook': testWebhook,
  'update-webhook': updateWebhook,
  'authorize-request': authorizeRequest,
  'close-idle-sessions': closeIdleSessions,
  'delete-transcriptions': deleteTranscriptions,
  'deliver-notices': deliverNotices,
  'finish-transcription': finishTranscription,
  'merge-transcription': mergeTranscription,
  'plan-deliveries': planDeliveries,
  'prepare-media': prepareMedia,
  'put-notice-events': putNoticeEvents,
  'reconcile-transcriptions': reconcileTranscriptions,
  'record-network-samples': recordNetworkSamples,
  'record-room-events': recordRoomEvents,
  'relay-notices': relayNotices,
  'replay-notices': replayNotices,
  'settle-sessions': settleSessions,
  'start-transcription': startTranscription,
  'sweep-notices': sweepNotices,
  'translate-hooks': translateHooks,
  'write-transcript': writeTranscript,
};
