// biome-ignore-all lint/performance/noBarrelFile: what the package exports under `roomscribe/client`
export type { CallOptions } from './api.ts';
export {
  ApiError,
  AuthenticationError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotAllowedError,
  NotFoundError,
  RateLimitedError,
  RoomscribeError,
  ServerError,
  TokenError,
  TranscriptionFailedError,
  WaitTimeoutError,
} from './errors.ts';
export type { Events } from './events.ts';
export type { Insights } from './insights.ts';
export type { List, Page } from './list.ts';
export type { FollowOptions, Notices } from './notices.ts';
export type { RateLimit } from './rate-limit.ts';
export { type GivenToken, Roomscribe, type RoomscribeOptions } from './roomscribe.ts';
export type { RowPage } from './rows.ts';
export type { AccessToken, ClientCredentials, TokenSource, TokenStore } from './tokens.ts';
export type {
  CreateAndWaitOptions,
  DownloadOptions,
  Transcriptions,
  WaitOptions,
  WriteOptions,
} from './transcriptions.ts';
export type {
  AccessLink,
  Completeness,
  CorrectSpeaker,
  CreateAccessLink,
  CreatedWebhook,
  CreateTranscription,
  CreateWebhook,
  Delivery,
  DeliveryFailureCode,
  ErrorCode,
  ErrorIssue,
  Failure,
  FailureCode,
  GetParticipant,
  ListDeliveries,
  ListNotices,
  ListParticipants,
  ListRefusedEvents,
  ListRoomInsights,
  ListRoomSessionInsights,
  ListTranscriptions,
  ListWebhooks,
  MissingSpan,
  Notice,
  NoticeType,
  ParticipantEvent,
  ParticipantSessionDetail,
  RefusedEvent,
  Replay,
  ReplayWebhook,
  RoomInsight,
  RoomSessionInsight,
  RotatedSecret,
  RowFormat,
  SessionParticipant,
  Speaker,
  StorageType,
  TestNotice,
  TranscriptDocument,
  TranscriptFormat,
  Transcription,
  TranscriptionDetail,
  TranscriptionState,
  TranscriptionType,
  Turn,
  UpdateWebhook,
  Webhook,
  WebhookTest,
  Word,
} from './types.ts';
export type { RotateOptions, Webhooks } from './webhooks.ts';
