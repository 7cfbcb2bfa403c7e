import * as transcribeClient from '@aws-sdk/client-transcribe';
import {
  BadRequestException,
  ConflictException,
  InternalFailureException,
  NotFoundException,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { describe, expect, test } from 'vitest';
import { transcribeJobs } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { type Answer, answering } from '../../../support/client/fake-client.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const media = { bucket: 'recordings', key: 'daily/1 (a).wav' };
const mediaUri = 's3://recordings/daily/1 (a).wav';
const name = `Roomscribe-dev.acme.${uuid(1)}`;

const error = { $metadata: {}, message: '' };
const notFound = new NotFoundException(error);
const badRequest = (message: string) => new BadRequestException({ ...error, message });
const noSuchJob = badRequest("The requested job couldn't be found. Check the job name and try your request again.");
const throttled = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
const outage = new InternalFailureException({ $metadata: { httpStatusCode: 500 }, message: 'x' });

/** Transcribe with one fixed answer for each operation. An Error among them is thrown. */
function fixture(answers: Record<string, unknown>) {
  const answer: Answer = (call) => {
    const answered = answers[call.name.replace('TranscriptionJobCommand', '')];
    if (answered instanceof Error) throw answered;
    return answered ?? {};
  };
  const { client, calls } = answering(new TranscribeClient({ region: 'eu-west-1' }), answer);
  return { jobs: transcribeJobs(client, 'Roomscribe-dev', 'transcripts'), calls };
}

const job = (facts: object) => ({ TranscriptionJob: facts });

describe('start', () => {
  test('requests language identification, speaker labels and the output location', async () => {
    const { jobs, calls } = fixture({});
    expect(await jobs.start(owner, media)).toBe('started');
    expect(calls).toEqual([
      {
        name: 'StartTranscriptionJobCommand',
        input: {
          TranscriptionJobName: name,
          Media: { MediaFileUri: mediaUri },
          IdentifyLanguage: true,
          Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 10 },
          OutputBucketName: 'transcripts',
          OutputKey: `generated/acme/${uuid(1)}/transcribe-output.json`,
        },
      },
    ]);
  });

  const conflict = new ConflictException(error);
  test.each([
    ['returns "exists" if the job has the same media', job({ Media: { MediaFileUri: mediaUri } }), 'exists'],
    [
      'rejects the recording if the job has other media',
      job({ Media: { MediaFileUri: 's3://other/x' } }),
      { refused: 'engine_error' },
    ],
    ['rejects the recording if the job has no media', job({}), { refused: 'engine_error' }],
    ['returns "busy" if the job no longer exists', notFound, 'busy'],
    ['returns "busy" if Transcribe says in other words that the job no longer exists', noSuchJob, 'busy'],
  ])('after a conflict, %s', async (_name, found, outcome) => {
    const { jobs, calls } = fixture({ Start: conflict, Get: found });
    expect(await jobs.start(owner, media)).toEqual(outcome);
    expect(calls.map(({ input }) => input.TranscriptionJobName)).toEqual([name, name]);
  });

  test('after a conflict, rejects the recording if the job does not redact as it should', async () => {
    const unredacted = fixture({ Start: conflict, Get: job({ Media: { MediaFileUri: mediaUri } }) });
    const options: TranscriptionOptions = { language: 'en-US', redact: { types: ['ALL'] } };
    expect(await unredacted.jobs.start({ ...owner, options }, media)).toEqual({ refused: 'engine_error' });
    expect(unredacted.calls[0]?.input).toMatchObject({
      LanguageCode: 'en-US',
      ContentRedaction: { RedactionOutput: 'redacted' },
      OutputKey: `generated/acme/${uuid(1)}/transcribe-output.json`,
    });
  });

  test('throws if it cannot read the conflicting job', async () => {
    await expect(fixture({ Start: conflict, Get: outage }).jobs.start(owner, media)).rejects.toBe(outage);
  });

  test.each([
    ["The S3 URI that you provided can't be accessed. Make sure that you have read permission.", 'recording_missing'],
    ["The URI that you provided doesn't point to an S3 object.", 'recording_missing'],
    ['Unsupported media format.', 'unsupported_media'],
    ['An unknown reason.', 'engine_error'],
  ])('rejects the recording if Transcribe answers: %s', async (message, refused) => {
    expect(await fixture({ Start: badRequest(message) }).jobs.start(owner, media)).toEqual({ refused });
  });

  test('leaves to another attempt a start whose output bucket Transcribe may not write yet', async () => {
    const answered = badRequest("The specified S3 bucket can't be accessed. Make sure that you have write permission.");
    expect(await fixture({ Start: answered }).jobs.start(owner, media)).toBe('denied');
  });

  /**
   * Every error that the API reference names for StartTranscriptionJob, the common ones of AWS, and those of credentials:
   * https://docs.aws.amazon.com/transcribe/latest/APIReference/CommonErrors.html. A message that is retried becomes a dead letter, and
   * the reconciler sends it again until it gives the transcription up.
   */
  const rules = {
    busy: ['LimitExceededException', 'ThrottlingException', 'RequestLimitExceeded', 'TooManyRequestsException'],
    denied: ['AccessDeniedException', 'NotAuthorized'],
    engine_not_enabled: ['SubscriptionRequiredException', 'OptInRequired'],
    retried: [
      ...['InternalFailureException', 'InternalFailure', 'ServiceUnavailable', 'RequestTimeout', 'ECONNRESET'],
      ...['ExpiredTokenException', 'UnrecognizedClientException', 'InvalidSignatureException', 'IncompleteSignature'],
      ...['MissingAuthenticationToken', 'InvalidClientTokenId', 'RequestExpired', 'NotFoundException'],
      ...['ValidationException', 'ValidationError', 'InvalidAction', 'InvalidParameterCombination', 'MissingAction'],
      ...['InvalidParameterValue', 'InvalidQueryParameter', 'MalformedQueryString', 'MissingParameter'],
    ],
  };
  test.each(Object.entries(rules).flatMap(([rule, names]) => names.map((name) => [name, rule] as const)))(
    'after %s, the start is %s',
    async (name, rule) => {
      const answered = Object.assign(new Error('x'), { name });
      const started = fixture({ Start: answered }).jobs.start(owner, media);
      if (rule === 'retried') return expect(started).rejects.toBe(answered);
      expect(await started).toEqual(rule === 'busy' || rule === 'denied' ? rule : { refused: rule });
    },
  );

  test.each(['AccessDeniedException', 'NotAuthorized'])(
    'after a conflict and %s, the start is denied',
    async (name) => {
      const answered = Object.assign(new Error('x'), { name });
      expect(await fixture({ Start: conflict, Get: answered }).jobs.start(owner, media)).toBe('denied');
    },
  );

  test('every error that the client of Transcribe declares has a rule', () => {
    const declared = Object.keys(transcribeClient).filter((name) => name.endsWith('Exception'));
    const ruled = [...Object.values(rules).flat(), 'BadRequestException', 'ConflictException'];
    expect(declared.filter((name) => !ruled.includes(name))).toEqual(['TranscribeServiceException']); // the class of all of them
  });
});

describe('state', () => {
  const named = (name: string) => Object.assign(new Error('x'), { name });
  test.each([
    ['is queued', job({ TranscriptionJobStatus: 'QUEUED' }), 'running'],
    ['runs', job({ TranscriptionJobStatus: 'IN_PROGRESS' }), 'running'],
    ['has completed', job({ TranscriptionJobStatus: 'COMPLETED' }), 'completed'],
    ['failed with a reason', job({ TranscriptionJobStatus: 'FAILED', FailureReason: 'why' }), { failureReason: 'why' }],
    ['failed without a reason', job({ TranscriptionJobStatus: 'FAILED' }), { failureReason: '' }],
    ['does not exist', notFound, 'absent'],
    ['does not exist, in the other wording of Transcribe', noSuchJob, 'absent'],
    ['the answer leaves out', {}, 'absent'],
    ['may not be read', named('AccessDeniedException'), { denied: 'engine_access_denied' }],
    ['may not be read, in the other wording', named('NotAuthorized'), { denied: 'engine_access_denied' }],
    ['an account cannot have', named('SubscriptionRequiredException'), { denied: 'engine_not_enabled' }],
    ['a region does not allow', named('OptInRequired'), { denied: 'engine_not_enabled' }],
  ])('reads a job that %s', async (_name, answered, state) => {
    expect(await fixture({ Get: answered }).jobs.state(owner)).toEqual(state);
  });

  test.each([badRequest('Something else.'), outage, throttled])('throws after %s', async (answered) => {
    await expect(fixture({ Get: answered }).jobs.state(owner)).rejects.toBe(answered);
  });
});

describe('remove', () => {
  test.each([
    ['an existing job', {}, 'removed'],
    ['a missing job', notFound, 'removed'],
    ['a missing job, in the other wording of Transcribe', noSuchJob, 'removed'],
    ['a running job, which Transcribe refuses to delete', badRequest('The job is in progress.'), 'later'],
    ['a throttled call', throttled, 'later'],
  ])('handles %s', async (_name, answered, outcome) => {
    const { jobs, calls } = fixture({ Delete: answered });
    expect(await jobs.remove(owner)).toBe(outcome);
    expect(calls).toEqual([{ name: 'DeleteTranscriptionJobCommand', input: { TranscriptionJobName: name } }]);
  });

  test('throws after an outage, so that the caller retries', async () => {
    const { jobs } = fixture({ Delete: outage });
    await expect(jobs.remove(owner)).rejects.toBe(outage);
  });
});

describe('endOf', () => {
  const { jobs } = fixture({});
  const ended = (detail: object) => ({
    detail: { TranscriptionJobName: name, TranscriptionJobStatus: 'COMPLETED' as const, ...detail },
  });

  test('returns the work of the job', () => {
    expect(jobs.endOf(ended({}))).toEqual({ work: owner });
  });

  test('returns the failure code, with engine_error if Transcribe gives no reason', () => {
    const failed = { TranscriptionJobStatus: 'FAILED', FailureReason: 'Unsupported media format.' };
    expect(jobs.endOf(ended(failed))).toEqual({ work: owner, failureCode: 'unsupported_media' });
    expect(jobs.endOf(ended({ TranscriptionJobStatus: 'FAILED' }))).toEqual({
      work: owner,
      failureCode: 'engine_error',
    });
  });

  test.each(['somebody-elses-job', `Roomscribe-prod.acme.${uuid(1)}`, name.slice(0, -1), `${name}.x`])(
    'returns nothing for a job of another service: %s',
    (TranscriptionJobName) => {
      expect(jobs.endOf(ended({ TranscriptionJobName }))).toEqual({});
    },
  );

  test.each(['completed', { failureReason: 'Unsupported media format.' }] as const)(
    'reads a state change that the service itself builds: %j',
    (result) => {
      expect(jobs.endOf(jobs.stateChange(owner, result))).toEqual(
        result === 'completed' ? { work: owner } : { work: owner, failureCode: 'unsupported_media' },
      );
    },
  );
});
