import { LanguageCode } from '@aws-sdk/client-transcribe';
import * as z from 'zod';
import { longest, NOT_EMPTY, oneOf, pattern, required } from './parse-request.ts';

/** The name of a vocabulary or a vocabulary filter. */
export const ResourceName = z
  .string({ error: required })
  .min(1, NOT_EMPTY)
  .max(200, longest(200))
  .regex(...pattern(/^[0-9a-zA-Z._-]+$/));

/** The name of a job. Amazon refuses the two that mean folders. */
export const JobName = ResourceName.refine((name) => name !== '.' && name !== '..', 'Member must not be . or ..');

/** A language that Amazon Transcribe knows. */
export const Language = z.enum(LanguageCode, { error: oneOf(LanguageCode) });

const Tag = z.object({
  Key: z.string({ error: required }).min(1, NOT_EMPTY).max(128, longest(128)),
  Value: z.string({ error: required }).max(256, longest(256)),
});

/** The tags of a job, a vocabulary or a vocabulary filter. */
export const Tags = z.array(Tag, { error: required }).min(1, NOT_EMPTY).max(200, longest(200));
