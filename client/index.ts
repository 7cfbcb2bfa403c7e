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
  CreateTranscription,
  ErrorCode,
  ErrorIssue,
  Failure,
  FailureCode,
  GetParticipant,
  ListParticipants,
  ListRefusedEvents,
  ListRoomInsights,
  ListRoomSessionInsights,
  ListTranscriptions,
  MissingSpan,
  ParticipantEvent,
  ParticipantSessionDetail,
  RefusedEvent,
  RoomInsight,
  RoomSessionInsight,
  RowFormat,
  SessionParticipant,
  Speaker,
  StorageType,
  TranscriptDocument,
  TranscriptFormat,
  Transcription,
  TranscriptionDetail,
  TranscriptionState,
  TranscriptionType,
  Turn,
  Word,
} from './types.ts';
