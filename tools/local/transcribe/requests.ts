import { LanguageCode, MediaFormat } from '@aws-sdk/client-transcribe';
import * as z from 'zod';
import { badRequest } from './bad-request.ts';

const required = (issue: { input?: unknown }): string =>
  issue.input === undefined || issue.input === null ? 'Member must not be null' : 'Member has the wrong type';

const oneOf = (values: object): string => `Member must satisfy enum value set: [${Object.values(values).join(', ')}]`;

const NOT_EMPTY = 'Member must have length greater than or equal to 1';
const longest = (length: number): string => `Member must have length less than or equal to ${length}`;

const pattern = (expression: RegExp): [RegExp, string] => [
  expression,
  `Member must satisfy regular expression pattern: ${expression.source}`,
];

const JobName = z
  .string({ error: required })
  .min(1, NOT_EMPTY)
  .max(200, longest(200))
  .regex(...pattern(/^[0-9a-zA-Z._-]+$/))
  .refine((name) => name !== '.' && name !== '..', 'Member must not be . or ..');

const Settings = z.object({
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

const Tag = z.object({
  Key: z.string({ error: required }).min(1, NOT_EMPTY).max(128, longest(128)),
  Value: z.string({ error: required }).max(256, longest(256)),
});

/** The request of StartTranscriptionJob, limited to the parameters that this server supports. */
export const StartRequest = z.object({
  TranscriptionJobName: JobName,
  LanguageCode: z.optional(z.enum(LanguageCode, { error: oneOf(LanguageCode) })),
  IdentifyLanguage: z.optional(z.boolean({ error: required })),
  LanguageOptions: z.optional(z.array(z.enum(LanguageCode, { error: oneOf(LanguageCode) }))),
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
  Tags: z.optional(z.array(Tag, { error: required }).min(1, NOT_EMPTY).max(200, longest(200))),
});
export type StartRequest = z.infer<typeof StartRequest>;

const NameRequest = z.object({ TranscriptionJobName: JobName });

const ListRequest = z.object({
  JobNameContains: z.string().default(''),
  MaxResults: z.int().min(1).max(100).default(5),
  NextToken: z.string().regex(/^\d+$/).default('0'),
});

// Rejected, not ignored, because they change the content of the output.
const NOT_LOCAL = ['IdentifyMultipleLanguages', 'ContentRedaction', 'Subtitles', 'ToxicityDetection'] as const;
const NOT_LOCAL_SETTINGS = ['ChannelIdentification', 'ShowAlternatives'] as const;

/** Parses a StartTranscriptionJob request. Throws BadRequestException with Amazon's messages. */
export function parseStartRequest(body: unknown): StartRequest {
  const request = parse(StartRequest, body);
  const given = Object.entries(body as object).filter(([, value]) => value !== false && value !== null);
  const unsupported =
    NOT_LOCAL.find((name) => given.some(([key]) => key === name)) ??
    NOT_LOCAL_SETTINGS.find((name) => request.Settings?.[name] === true);
  if (unsupported !== undefined) throw badRequest(`${unsupported} isn't supported by the local Transcribe server.`);
  checkLanguage(request);
  checkSpeakers(request);
  if (request.OutputBucketName === undefined) {
    throw badRequest('The local Transcribe server has no bucket of its own: add OutputBucketName.');
  }
  return request;
}

/** Parses a request that names a job. */
export const parseJobName = (body: unknown): string => parse(NameRequest, body).TranscriptionJobName;

/** Parses a request that lists jobs. */
export const parseListRequest = (body: unknown): z.infer<typeof ListRequest> => parse(ListRequest, body);

function checkLanguage({ LanguageCode: code, IdentifyLanguage: identify }: StartRequest): void {
  if (code === undefined && identify !== true) {
    throw badRequest('The language code is missing. Either add a language code or turn on language identification.');
  }
  if (code !== undefined && identify === true) {
    throw badRequest("You can't use a language code together with language identification. Use one of them.");
  }
}

function checkSpeakers({ Settings: settings }: StartRequest): void {
  if (settings?.ShowSpeakerLabels === true && settings.MaxSpeakerLabels === undefined) {
    throw badRequest('MaxSpeakerLabels is missing. Add MaxSpeakerLabels or turn off ShowSpeakerLabels.');
  }
  if (settings?.ShowSpeakerLabels !== true && settings?.MaxSpeakerLabels !== undefined) {
    throw badRequest('MaxSpeakerLabels needs ShowSpeakerLabels. Turn on ShowSpeakerLabels or remove MaxSpeakerLabels.');
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>(
    (inner, step) => (inner as Record<PropertyKey, unknown> | undefined)?.[step],
    body,
  );
  const shown = value === undefined || value === null ? 'null' : `'${String(value)}'`;
  const name = path.map((step) => `${String(step).charAt(0).toLowerCase()}${String(step).slice(1)}`).join('.');
  throw badRequest(
    `1 validation error detected: Value ${shown} at '${name}' failed to satisfy constraint: ${issue?.message}`,
  );
}
