import type { Access } from '#shared/runtime/access.ts';
import { envNames } from '#shared/runtime/names.ts';
import type { StageConfig } from '../settings/stages.ts';

/** The environment variables with the settings of the stage that a function reads. */
export function settingsEnvironment(access: Access, config: StageConfig): Record<string, string> {
  return {
    ...retentionEnvironment(access, config),
    ...timeEnvironment(access, config),
    ...ceilingEnvironment(access, config),
    ...optionEnvironment(access, config),
    ...partEnvironment(access, config),
    ...idleEnvironment(access, config),
    ...hookEnvironment(access, config),
    ...roleEnvironment(access, config),
    ...sampleRateEnvironment(access, config),
    ...noticeEnvironment(access, config),
  };
}

function retentionEnvironment({ retentionOf }: Access, { retentionDays }: StageConfig): Record<string, string> {
  if (!retentionOf) return {};
  const days = retentionDays[retentionOf];
  return days === undefined ? {} : { [envNames[`${retentionOf}RetentionDays`]]: String(days) };
}

function timeEnvironment({ checksEventTimes }: Access, { eventDays }: StageConfig): Record<string, string> {
  if (!checksEventTimes) return {};
  return { [envNames.eventDaysAhead]: String(eventDays.ahead), [envNames.eventDaysBack]: String(eventDays.back) };
}

function ceilingEnvironment({ countsBulkDeletes, countsMinutes }: Access, config: StageConfig) {
  return {
    ...(countsBulkDeletes && { [envNames.bulkDeleteIdsPerHour]: String(config.bulkDeleteIdsPerHour) }),
    ...(countsMinutes && { [envNames.transcriptionMinutesPerDay]: String(config.transcriptionMinutesPerDay) }),
  };
}

function optionEnvironment({ readsOptionDefaults }: Access, config: StageConfig) {
  if (!readsOptionDefaults) return {};
  return {
    [envNames.transcriptionLanguage]: config.transcriptionLanguage,
    [envNames.transcriptionMaxSpeakers]: String(config.transcriptionMaxSpeakers),
  };
}

function partEnvironment(access: Access, config: StageConfig) {
  return {
    ...(access.closesRecordings && { [envNames.recordingCloseMinutes]: String(config.recordingCloseMinutes) }),
    ...(access.plansPieces && {
      [envNames.pieceMinutes]: String(config.pieceMinutes),
      [envNames.trackPieceMinutes]: String(config.trackPieceMinutes),
    }),
    ...(access.startsParts && { [envNames.transcriptionPartsAtOnce]: String(config.transcriptionPartsAtOnce) }),
    ...(access.pacesJobs && { [envNames.transcribeStartsPerSecond]: String(config.transcribeStartsPerSecond) }),
  };
}

function idleEnvironment({ readsSessionIdleHours }: Access, { sessionIdleHours }: StageConfig): Record<string, string> {
  if (!readsSessionIdleHours || sessionIdleHours === undefined) return {};
  return { [envNames.sessionIdleHours]: String(sessionIdleHours) };
}

function hookEnvironment({ readsHookRetention }: Access, { hookRetentionDays }: StageConfig) {
  return readsHookRetention ? { [envNames.hookRetentionDays]: String(hookRetentionDays) } : {};
}

/** No role of the settings contains a comma, because commas separate them there, too. */
function roleEnvironment(access: Access, { nonParticipantRoles, speakerRoles }: StageConfig): Record<string, string> {
  const { readsNonParticipantRoles, readsSpeakerRoles } = access;
  return {
    ...(readsNonParticipantRoles &&
      nonParticipantRoles && { [envNames.nonParticipantRoles]: nonParticipantRoles.join(',') }),
    ...(readsSpeakerRoles && speakerRoles && { [envNames.speakerRoles]: speakerRoles.join(',') }),
  };
}

function sampleRateEnvironment({ readsDefaultSampleRate }: Access, { defaultSampleRateMs }: StageConfig) {
  return readsDefaultSampleRate ? { [envNames.defaultSampleRateMs]: String(defaultSampleRateMs) } : {};
}

function noticeEnvironment(access: Access, config: StageConfig): Record<string, string> {
  return {
    ...(access.callsWebhooks && { [envNames.webhookReceivers]: config.webhookReceivers }),
    ...(access.countsWebhooks && { [envNames.webhooksPerOrganization]: String(config.webhooksPerOrganization) }),
    ...(access.countsReplays && { [envNames.replaysPerDay]: String(config.replaysPerDay) }),
    ...(access.disablesWebhooks && { [envNames.webhookDisableDays]: String(config.webhookDisableDays) }),
    ...(access.settlesSessions && { [envNames.sessionSettleSeconds]: String(config.sessionSettleSeconds) }),
  };
}
