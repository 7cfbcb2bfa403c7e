import * as z from 'zod';
import { badRequest } from './bad-request.ts';
import { checkIsLocal } from './not-local.ts';
import { parseRequest } from './parse-request.ts';
import { JobName } from './request-fields.ts';
import { StartRequest } from './start-request.ts';
import { checkCombination } from './start-rules.ts';

const NameRequest = z.object({ TranscriptionJobName: JobName });

const ListRequest = z.object({
  JobNameContains: z.string().default(''),
  MaxResults: z.int().min(1).max(100).default(5),
  NextToken: z.string().regex(/^\d+$/).default('0'),
});

/** Parses a StartTranscriptionJob request. Throws BadRequestException with Amazon's messages. */
export function parseStartRequest(body: unknown): StartRequest {
  const request = parseRequest(StartRequest, body);
  checkIsLocal(body);
  checkCombination(request);
  if (request.OutputBucketName === undefined) {
    throw badRequest('The local Transcribe server has no bucket of its own: add OutputBucketName.');
  }
  return request;
}

/** Parses a request that names a job. */
export const parseJobName = (body: unknown): string => parseRequest(NameRequest, body).TranscriptionJobName;

/** Parses a request that lists jobs. */
export const parseListRequest = (body: unknown): z.infer<typeof ListRequest> => parseRequest(ListRequest, body);
