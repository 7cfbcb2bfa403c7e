import { LanguageCode, MediaFormat, type TranscriptionJob } from '@aws-sdk/client-transcribe';
import * as z from 'zod';
import { StartRequest } from './start-request.ts';

/** A job as stored on disk: the request, the status and the result. */
export const Job = z.object({
  request: StartRequest,
  status: z.enum(['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED']),
  createdAt: z.iso.datetime(),
  startedAt: z.optional(z.iso.datetime()),
  completedAt: z.optional(z.iso.datetime()),
  failureReason: z.optional(z.string()),
  result: z.optional(
    z.object({
      languageCode: z.enum(LanguageCode),
      mediaFormat: z.enum(MediaFormat),
      sampleRate: z.optional(z.number()),
      transcriptUri: z.optional(z.string()),
      redactedTranscriptUri: z.optional(z.string()),
      spokenSeconds: z.optional(z.number()),
    }),
  ),
});
export type Job = z.infer<typeof Job>;

/** The result of a completed job. */
export type JobResult = NonNullable<Job['result']>;

/** The name that identifies a job. */
export const nameOf = (job: Job): string => job.request.TranscriptionJobName;

/** Whether a job has neither completed nor failed. It counts against the limit and cannot be deleted. */
export const isUnfinished = (job: Job): boolean => job.status === 'QUEUED' || job.status === 'IN_PROGRESS';

/** The object key of a job's transcript. A requested key that ends with a slash is a folder, as Amazon documents. */
export function outputKeyOf({ OutputKey: key, TranscriptionJobName: name }: StartRequest): string {
  if (key === undefined) return `${name}.json`;
  return key.endsWith('/') ? `${key}${name}.json` : key;
}

/**
 * The object key of a job's redacted transcript: `redacted-` before the name of the file, in the same folder. Amazon's documentation shows
 * this for the default name; users of OutputKey report it of theirs: https://github.com/stdapi-ai/stdapi.ai (tests of amazon_transcribe).
 */
export const redactedKeyOf = (request: StartRequest): string =>
  outputKeyOf(request).replace(/[^/]*$/, (file) => `redacted-${file}`);

type WireTimes = 'CreationTime' | 'StartTime' | 'CompletionTime';
/** A TranscriptionJob on the wire: times are seconds since 1970. */
export type WireJob = Omit<TranscriptionJob, WireTimes> & { [time in WireTimes]?: number };

/** A job as StartTranscriptionJob and GetTranscriptionJob return it. */
export function toWire({ request, result, ...job }: Job): WireJob {
  const several = request.IdentifyMultipleLanguages === true;
  return dropUndefined({
    TranscriptionJobName: request.TranscriptionJobName,
    TranscriptionJobStatus: job.status,
    LanguageCode: several ? undefined : (result?.languageCode ?? request.LanguageCode),
    LanguageCodes:
      several && result !== undefined
        ? [{ LanguageCode: result.languageCode, DurationInSeconds: result.spokenSeconds ?? 0 }]
        : undefined,
    IdentifyLanguage: request.IdentifyLanguage,
    IdentifyMultipleLanguages: request.IdentifyMultipleLanguages,
    LanguageOptions: request.LanguageOptions,
    LanguageIdSettings: request.LanguageIdSettings,
    // This server recognizes English only, so the score is 1.
    IdentifiedLanguageScore: request.IdentifyLanguage === true && result !== undefined ? 1 : undefined,
    MediaFormat: result?.mediaFormat ?? request.MediaFormat,
    MediaSampleRateHertz: result?.sampleRate ?? request.MediaSampleRateHertz,
    Media: request.Media,
    Transcript: dropUndefined({
      TranscriptFileUri: result?.transcriptUri,
      RedactedTranscriptFileUri: result?.redactedTranscriptUri,
    }),
    ContentRedaction: request.ContentRedaction,
    Settings: { ChannelIdentification: false, ShowAlternatives: false, ...request.Settings },
    Tags: request.Tags,
    CreationTime: toSeconds(job.createdAt),
    StartTime: toSeconds(job.startedAt),
    CompletionTime: toSeconds(job.completedAt),
    FailureReason: job.failureReason,
  });
}

const toSeconds = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time) / 1000;

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}
