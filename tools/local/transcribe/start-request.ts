import {
  LanguageCode,
  MediaFormat,
  PiiEntityType,
  RedactionOutput,
  RedactionType,
  VocabularyFilterMethod,
} from '@aws-sdk/client-transcribe';
import * as z from 'zod';
import { longest, NOT_EMPTY, oneOf, pattern, required } from './parse-request.ts';
import { JobName, Language, ResourceName, Tags } from './request-fields.ts';

const Settings = z.object({
  VocabularyName: z.optional(ResourceName),
  VocabularyFilterName: z.optional(ResourceName),
  VocabularyFilterMethod: z.optional(z.enum(VocabularyFilterMethod, { error: oneOf(VocabularyFilterMethod) })),
  ShowSpeakerLabels: z.optional(z.boolean({ error: required })),
  MaxSpeakerLabels: z.optional(
    z
      .int({ error: required })
      .min(2, 'Member must have value greater than or equal to 2')
      .max(30, 'Member must have value less than or equal to 30'),
  ),
  ChannelIdentification: z.optional(z.boolean({ error: required })),
  ShowAlternatives: z.optional(z.boolean({ error: required })),
});

const ContentRedaction = z.object({
  RedactionType: z.enum(RedactionType, { error: oneOf(RedactionType) }),
  RedactionOutput: z.enum(RedactionOutput, { error: oneOf(RedactionOutput) }),
  PiiEntityTypes: z.optional(z.array(z.enum(PiiEntityType, { error: oneOf(PiiEntityType) }), { error: required })),
});

const LanguageIdSettings = z
  .partialRecord(
    z.enum(LanguageCode, { error: oneOf(LanguageCode) }),
    z.object({ VocabularyName: z.optional(ResourceName), VocabularyFilterName: z.optional(ResourceName) }),
  )
  .refine((settings) => Object.keys(settings).length <= 5, longest(5));

/** The request of StartTranscriptionJob, limited to the parameters that this server supports. */
export const StartRequest = z.object({
  TranscriptionJobName: JobName,
  LanguageCode: z.optional(Language),
  IdentifyLanguage: z.optional(z.boolean({ error: required })),
  IdentifyMultipleLanguages: z.optional(z.boolean({ error: required })),
  LanguageOptions: z.optional(z.array(Language, { error: required }).min(1, NOT_EMPTY)),
  LanguageIdSettings: z.optional(LanguageIdSettings),
  MediaFormat: z.optional(z.enum(MediaFormat, { error: oneOf(MediaFormat) })),
  MediaSampleRateHertz: z.optional(
    z
      .int({ error: required })
      .min(8_000, 'Member must have value greater than or equal to 8000')
      .max(48_000, 'Member must have value less than or equal to 48000'),
  ),
  Media: z.object(
    {
      MediaFileUri: z
        .string({ error: required })
        .max(2_000, longest(2_000))
        .regex(...pattern(/(s3:\/\/|http(s*):\/\/).+/)),
    },
    { error: required },
  ),
  OutputBucketName: z.optional(
    z
      .string({ error: required })
      .max(64, longest(64))
      .regex(...pattern(/^[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9]$/)),
  ),
  OutputKey: z.optional(z.string({ error: required }).min(1, NOT_EMPTY).max(1_024, longest(1_024))),
  Settings: z.optional(Settings),
  ContentRedaction: z.optional(ContentRedaction),
  Tags: z.optional(Tags),
});
export type StartRequest = z.infer<typeof StartRequest>;

/** Whether a request leaves the language to Transcribe: one language, or several. */
export const identifies = (request: StartRequest): boolean =>
  request.IdentifyLanguage === true || request.IdentifyMultipleLanguages === true;
