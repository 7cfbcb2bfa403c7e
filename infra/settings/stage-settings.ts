import * as z from 'zod/mini';
import { sampleRateRange, usualSampleRateMs } from '#shared/contracts/insights/network-samples.ts';
import { languageCodes, speakerRange } from '#shared/contracts/transcriptions/transcription-options.ts';
import { clientIdClaim } from '#shared/runtime/names.ts';
import {
  certificateArn,
  cloudFrontCertificateArn,
  concurrencyList,
  corsOrigins,
  days,
  domainName,
  emailAddress,
  gitReference,
  httpsOrigin,
  keyOrArn,
  logDays,
  mostRoles,
  oneOf,
  principalArns,
  roleNames,
  scopeList,
  tagList,
  text,
  webAddress,
  wholeNumber,
} from './settings.ts';

/** A setting: the schema of its value, its default in the form of a `-c` value, and its description in docs/operations.md. */
export type Setting<Stage extends string = string> = {
  readonly schema: z.core.$ZodType;
  readonly default?: Default | Readonly<Record<Stage, Default>>;
  readonly text: string;
};
type Default = string | number | boolean | undefined;

/** Minutes of the longest file of one job (`mixedFileLimits`, which a test compares). */
const longestJobMinutes = 240;
/** Minutes of the shortest piece that can be set. Shorter ones make too many parts. */
const shortestPiece = 15;
const pieceRange = { fewest: shortestPiece, most: longestJobMinutes };
const sampleRates = `milliseconds from ${sampleRateRange.fewest} to ${sampleRateRange.most}`;

/** Every setting that `-c` can change. To change a setting for every deployment, change its default here. */
export const settings = {
  issuer: {
    schema: z.optional(text),
    text: '[An OpenID Connect issuer of your own](#your-own-issuer), exactly as in the `iss` claim of its tokens. By default the stack creates a Cognito user pool.',
  },
  audience: {
    schema: text,
    default: 'roomscribe',
    text: 'The `aud` (or `client_id`) claim that tokens of your issuer must have.',
  },
  organizationClaim: {
    schema: text,
    default: clientIdClaim,
    text: 'The claim of your issuer that names the organization. It must have one value.',
  },
  rateLimitPointsPerMinute: {
    schema: wholeNumber('of at least 3', { fewest: 3 }), // the most expensive request costs 3
    default: 1000,
    text: '[Points](api.md#rate-limit) that an organization can spend in a minute. At least 3.',
  },
  console: {
    schema: oneOf([true, false], 'be true or false'),
    default: false,
    text: 'Whether the stack has [the console](deploy.md#the-console), in which [people](operations/people.md) log in: `true` or `false`.',
  },
  personPointsPerMinute: {
    schema: wholeNumber('of at least 3', { fewest: 3 }), // the most expensive request costs 3
    default: 300,
    text: '[Points](api.md#rate-limit) that a person can spend in a minute, beside those of the organization. At least 3.',
  },
  roleClaim: {
    schema: z.optional(text),
    text: "The claim of your issuer that says whether a person is `reader` or `editor`. [A token with it is a person's](operations/people.md#with-your-own-issuer).",
  },
  consoleClientId: {
    schema: z.optional(text),
    text: 'The client of your issuer with which the console logs people in, without a secret.',
  },
  consoleScope: {
    schema: scopeList,
    default: 'openid',
    text: 'The scopes that [the console](deploy.md#the-console-with-your-own-issuer) asks your issuer for, with a space between them.',
  },
  consoleTokenOrigin: {
    schema: z.optional(httpsOrigin),
    text: 'Origin of [the token endpoint](deploy.md#the-console-with-your-own-issuer) of your issuer, such as `https://token.example.com`. By default it is the origin of `issuer`.',
  },
  consoleDomainName: {
    schema: z.optional(domainName),
    text: '[A domain name of your own](deploy.md#a-domain-name-for-the-console) for the console. By default the console has the address that CloudFront assigns.',
  },
  consoleCertificateArn: {
    schema: z.optional(cloudFrontCertificateArn),
    text: 'ARN of the ACM certificate for `consoleDomainName`, in us-east-1.',
  },
  bulkDeleteIdsPerHour: {
    schema: wholeNumber('of at least 10000', { fewest: 10_000 }), // one request can have as many
    default: 100_000, // five times what an organization can create in an hour
    text: 'Ids that an organization can [delete in bulk](api.md#delete-many) in an hour. At least 10000.',
  },
  transcriptionMinutesPerDay: {
    schema: wholeNumber(`of at least ${longestJobMinutes}`, { fewest: longestJobMinutes }),
    default: 30_000, // 500 hours
    text: `Minutes of recordings that an organization can have [transcribed in a day](api.md#minutes-of-a-day). At least ${longestJobMinutes}, and at least as many as the longest recording has.`,
  },
  transcriptionLanguage: {
    schema: oneOf(['auto', ...languageCodes], 'be auto or the code of a language, such as en-US'),
    default: 'auto',
    text: 'The `language` of a transcription whose [options](api.md#options) and organization name none: `auto` or a code, such as `en-US`.',
  },
  transcriptionMaxSpeakers: {
    schema: wholeNumber(`from ${speakerRange.fewest} to ${speakerRange.most}`, speakerRange),
    default: 10,
    text: `The \`maxSpeakers\` of a transcription whose [options](api.md#options) and organization name none, from ${speakerRange.fewest} to ${speakerRange.most}.`,
  },
  recordingCloseMinutes: {
    schema: wholeNumber('of minutes from 1 to 1440', { fewest: 1, most: 1440 }),
    default: 15,
    text: 'Minutes after the end of its session at which a recording with tracks [is closed](#tracks-and-parts) if no `recording.finished` came, from 1 to 1440.',
  },
  pieceMinutes: {
    schema: wholeNumber(`of minutes from ${shortestPiece} to ${longestJobMinutes}`, pieceRange),
    default: longestJobMinutes,
    text: `Minutes of the longest piece of a mixed file that [is cut](#tracks-and-parts), from ${shortestPiece} to ${longestJobMinutes}.`,
  },
  trackPieceMinutes: {
    schema: wholeNumber(`of minutes from ${shortestPiece} to ${longestJobMinutes}`, pieceRange),
    default: 60,
    text: `Minutes of the longest piece of [a track](#tracks-and-parts), from ${shortestPiece} to ${longestJobMinutes}.`,
  },
  transcriptionPartsAtOnce: {
    schema: wholeNumber('from 1 to 1000', { fewest: 1, most: 1000 }),
    default: 25,
    text: '[Parts](#tracks-and-parts) of one transcription that are at Transcribe at the same time, from 1 to 1000.',
  },
  transcribeStartsPerSecond: {
    schema: wholeNumber('from 1 to 100', { fewest: 1, most: 100 }),
    default: 10,
    text: "Jobs that the stage starts in a second, from 1 to 100: [your account's quota](operations/transcribe-quota.md) of `StartTranscriptionJob`.",
  },
  roomEventsBatchSize: {
    schema: wholeNumber('of events from 1 to 1000', { fewest: 1, most: 1000 }),
    default: 100,
    text: 'Room events that one invocation of their worker [records together](#batches-of-room-events), from 1 to 1000.',
  },
  roomEventsBatchWindowSeconds: {
    schema: wholeNumber('of seconds from 0 to 60', { fewest: 0, most: 60 }),
    default: 1,
    text: 'Seconds for which Lambda [collects room events](#batches-of-room-events) for an invocation, from 0 to 60. At least 1 if `roomEventsBatchSize` is more than 10.',
  },
  recordingRetentionDays: {
    schema: z.optional(days(7)), // a file must not expire before the work on it ends
    text: 'Days after which [the files of recordings](#retention-and-removal) expire. At least 7. By default they do not expire.',
  },
  recordingVersionDays: {
    schema: days(1),
    default: 7,
    text: 'Days for which a recording that was overwritten or deleted [can be restored](operations/restore-recording.md). At least 1.',
  },
  transcriptRetentionDays: {
    schema: z.optional(days(7)),
    text: 'Days after which [the files of transcripts](#retention-and-removal) expire. At least 7. By default they do not expire.',
  },
  hookRetentionDays: {
    schema: days(1),
    default: 7,
    text: 'Days after which [the bodies of webhooks](#retention-and-removal) expire, with which [they can be replayed](operations/platform-webhooks.md#replay). At least 1.',
  },
  sampleRetentionDays: {
    schema: z.optional(days(7)),
    text: 'Days after which [network samples and speech](#retention-and-removal) expire. At least 7, and at most `factRetentionDays`, which is also the default.',
  },
  factRetentionDays: {
    // A session closes 30 days before its facts expire (shared/domain/insights/session/session-closing.ts). Events may be four weeks late.
    schema: z.optional(days(60)),
    text: 'Days after which [the events that insights are computed from](#retention-and-removal) expire. At least 60. By default they do not expire.',
  },
  eventDaysAhead: {
    schema: days(1),
    default: 1,
    text: 'Days that the times of an event may be [after its arrival](#times-of-events). At least 1.',
  },
  eventDaysBack: {
    schema: days(1),
    default: 365,
    text: 'Days that the times of an event may be [before its arrival](#times-of-events). At least 1. Raise it to load history.',
  },
  sessionIdleHours: {
    schema: z.optional(wholeNumber('of hours from 1 to 720', { fewest: 1, most: 720 })),
    text: 'Hours without an event after which [a session that nobody ended](operations/platform-webhooks.md#lost-webhooks) is closed, from 1 to 720. By default none is closed.',
  },
  sessionSettleSeconds: {
    schema: wholeNumber('of seconds from 5 to 3600', { fewest: 5, most: 3600 }),
    default: 60,
    text: 'Seconds without an event of an ended session after which [its end and its totals are told](notices.md#sessions), from 5 to 3600.',
  },
  webhooksPerOrganization: {
    schema: wholeNumber('from 1 to 100', { fewest: 1, most: 100 }),
    default: 20,
    text: '[Webhooks](notices.md#webhooks) that an organization can have, from 1 to 100.',
  },
  replaysPerDay: {
    schema: wholeNumber('from 1 to 1000', { fewest: 1, most: 1000 }),
    default: 50,
    text: '[Replays](notices.md#replay) of periods that an organization can start in a day of UTC, from 1 to 1000.',
  },
  webhookDisableDays: {
    schema: days(4), // longer than a delivery is tried
    default: 5,
    text: 'Days without a successful delivery after which [a webhook is disabled](notices.md#a-receiver-that-is-down). At least 4.',
  },
  webhookReceivers: {
    schema: oneOf(['public', 'this-machine']),
    default: 'public',
    text: '`public`: [webhooks](notices.md#webhooks) are sent to public addresses over https only. `this-machine`, for the local runner, also allows http and addresses of the machine itself.',
  },
  recordingLinks: {
    schema: oneOf([true, false], 'be true or false'),
    default: false,
    text: 'Whether organizations can get [links to their recordings](api.md#get-a-link-to-the-recording), each for 15 minutes: `true` or `false`.',
  },
  nonParticipantRoles: {
    schema: z.optional(roleNames),
    text: `[Roles that are no participants](insights.md#roles), besides \`recorder\`, \`streamer\` and \`captioner\`: up to ${mostRoles}, with commas between them, spelt as in \`roleName\`. A change concerns joins that arrive after it.`,
  },
  speakerRoles: {
    schema: z.optional(roleNames),
    text: `Roles [that speak](api.md#who-is-no-speaker) although they are no participants, such as \`captioner\` for LiveKit's agents: up to ${mostRoles}, with commas between them, spelt as in \`roleName\`.`,
  },
  defaultSampleRateMs: {
    schema: wholeNumber(`of ${sampleRates}`, sampleRateRange),
    default: usualSampleRateMs,
    text: `The \`sampleRateMs\` that [participant detail](insights.md#network-samples) has of a connection without samples, in ${sampleRates}.`,
  },
  logRetentionDays: {
    schema: logDays,
    default: { dev: 7, prod: 90 },
    text: 'Days for which every log is kept, including the access log of the API: 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or 3653.',
  },
  alarmEmail: {
    schema: z.optional(emailAddress),
    text: 'E-mail address that receives [alarms](operations/alarms.md). Confirm the two messages that AWS sends to it.',
  },
  urgentAlarmEmail: {
    schema: z.optional(emailAddress),
    text: 'E-mail address that receives the [urgent alarms](operations/alarms.md), for example of a pager. By default `alarmEmail` receives them.',
  },
  repositoryUrl: {
    schema: z.optional(webAddress),
    text: 'Web address of your copy of this repository, such as `https://github.com/your-company/roomscribe`. Then the description of an alarm [links to its runbook](operations/alarms.md).',
  },
  commit: {
    schema: z.optional(gitReference),
    text: 'The commit, tag or branch that these links show. By default the commit that is checked out at the deployment.',
  },
  tracing: {
    schema: oneOf([true, false], 'be true or false'),
    default: false,
    text: 'Whether X-Ray [traces](#one-call) the functions: `true` or `false`.',
  },
  canaryMinutes: {
    schema: oneOf([0, 5, 10, 15, 30]), // the durations that CodeDeploy offers
    default: { dev: 0, prod: 5 },
    text: 'Minutes for which [a tenth of the calls](operations/bad-deploy.md#what-a-deployment-of-prod-does) goes to new code before all calls do: 5, 10, 15 or 30. 0 sends all calls to it at once.',
  },
  domainName: {
    schema: z.optional(domainName),
    text: '[A domain name of your own](#a-custom-domain) for the API. By default the API has the address that API Gateway assigns.',
  },
  certificateArn: {
    schema: z.optional(certificateArn),
    text: 'ARN of the ACM certificate for `domainName`, in the region of the stack.',
  },
  hostedZoneId: {
    schema: z.optional(text),
    text: 'ID of the Route 53 hosted zone in which the stack creates the records for `domainName` and `consoleDomainName`. Without it you create them.',
  },
  zoneName: { schema: z.optional(domainName), text: 'Name of that hosted zone.' },
  corsOrigins: {
    schema: z.optional(corsOrigins),
    text: 'Origins whose pages [may call the API from a browser](api.md#from-a-browser), with commas between them.',
  },
  platformPrincipals: {
    schema: z.optional(principalArns),
    text: 'ARNs, with commas between them, of roles, users and accounts elsewhere that [may send recordings and events](deploy.md#a-platform-in-another-account).',
  },
  customerManagedKey: {
    schema: keyOrArn,
    default: false,
    text: '[A KMS key of your account](#a-key-of-your-own) for all tables, buckets, queues, the event bus and the secret of webhooks: `true` to create one, or the ARN of the one to use. `false` leaves the encryption to keys of AWS.',
  },
  reservedConcurrency: {
    schema: z.optional(concurrencyList),
    text: '[Concurrency](#reserved-concurrency) that is reserved for functions, such as `list-room-insights=50,finish-transcription=20`.',
  },
  tags: {
    schema: z.optional(tagList),
    text: 'Tags of every resource, such as `owner=video-team,cost=1234`: for cost reports, and to find who owns a resource.',
  },
} as const satisfies Record<string, Setting>;

/** The default of a setting in a stage. */
export function defaultOf<Stage extends string>({ default: value }: Setting<Stage>, stage: Stage): Default {
  return typeof value === 'object' ? value[stage] : value;
}
