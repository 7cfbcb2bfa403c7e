import type { Operation } from '../services/aws-json.ts';
import { ServiceError } from '../services/service-error.ts';
import { badRequest } from './bad-request.ts';
import { isUnfinished, type Job, nameOf, toWire } from './job.ts';
import type { JobRunner } from './job-runner.ts';
import type { JobStore } from './job-store.ts';
import { parseJobName, parseListRequest, parseStartRequest } from './requests.ts';
import { checkNamedVocabularies } from './vocabularies/named-vocabularies.ts';
import type { Vocabularies } from './vocabularies/vocabulary.ts';
import { createVocabularyOperations } from './vocabularies/vocabulary-operations.ts';

/** What the operations use. `maxJobs` limits the unfinished jobs. */
export type OperationDeps = {
  store: JobStore;
  vocabularies: Vocabularies;
  runner: JobRunner;
  maxJobs: number;
  now?: () => Date;
};

const NOT_FOUND = "The requested job couldn't be found. Check the job name and try your request again.";

/** The operations of this server by their name in X-Amz-Target. */
export function createOperations({
  store,
  vocabularies,
  runner,
  maxJobs,
  now = () => new Date(),
}: OperationDeps): Map<string, Operation> {
  const start: Operation = async (body) => {
    const request = parseStartRequest(body);
    if (store.get(request.TranscriptionJobName) !== undefined) {
      throw new ServiceError('ConflictException', 'The requested job name already exists. Use a different job name.');
    }
    checkNamedVocabularies(request, vocabularies);
    if (store.all().filter(isUnfinished).length >= maxJobs) {
      throw new ServiceError(
        'LimitExceededException',
        'You have too many jobs running at the same time. Try your request again later.',
      );
    }
    const job: Job = { request, status: 'QUEUED', createdAt: now().toISOString() };
    await store.save(job).catch(async (error: unknown) => {
      await store.remove(request.TranscriptionJobName);
      throw error;
    });
    runner.add(job);
    return { TranscriptionJob: toWire(job) };
  };

  const get: Operation = async (body) => {
    const job = store.get(parseJobName(body));
    if (job === undefined) throw new ServiceError('NotFoundException', NOT_FOUND);
    return { TranscriptionJob: toWire(job) };
  };

  const remove: Operation = async (body) => {
    const name = parseJobName(body);
    const job = store.get(name);
    // Amazon returns BadRequestException here, not NotFoundException, as recorded responses show.
    if (job === undefined) throw badRequest(NOT_FOUND);
    if (isUnfinished(job)) {
      throw badRequest(
        "The requested job couldn't be deleted because the job is in progress. Try your request again when the job has finished.",
      );
    }
    await store.remove(name);
    return {};
  };

  const list: Operation = async (body) => {
    const { JobNameContains: text, MaxResults: count, NextToken } = parseListRequest(body);
    const found = store.all().filter((job) => nameOf(job).toLowerCase().includes(text.toLowerCase()));
    const from = Number(NextToken);
    const next = from + count;
    return {
      TranscriptionJobSummaries: found.slice(from, next).map((job) => ({
        TranscriptionJobName: nameOf(job),
        TranscriptionJobStatus: job.status,
      })),
      ...(next < found.length && { NextToken: String(next) }),
    };
  };

  return new Map([
    ['Transcribe.StartTranscriptionJob', start],
    ['Transcribe.GetTranscriptionJob', get],
    ['Transcribe.DeleteTranscriptionJob', remove],
    ['Transcribe.ListTranscriptionJobs', list],
    ...createVocabularyOperations(vocabularies, now),
  ]);
}
