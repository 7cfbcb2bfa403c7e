import {
  BadRequestException,
  ConflictException,
  InternalFailureException,
  LimitExceededException,
  NotFoundException,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { describe, expect, test } from 'vitest';
import { transcribeJobs } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { type Answer, answering } from '../../support/fake-client.ts';
import { organizationId, uuid } from '../../support/records.ts';

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

/** Transcribe that answers each operation as told; an error is thrown. */
function fixture(answers: Record<string, unknown>) {
  const answer: Answer = (call) => {
    const said = answers[call.name.replace('TranscriptionJobCommand', '')];
    if (said instanceof Error) throw said;
    return said ?? {};
  };
  const { client, calls } = answering(new TranscribeClient({ region: 'eu-west-1' }), answer);
  return { jobs: transcribeJobs(client, 'Roomscribe-dev', 'transcripts'), calls };
}

const job = (facts: object) => ({ TranscriptionJob: facts });

describe('starting', () => {
  test('asks for the language, for speakers, and for the output where it belongs', async () => {
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

  test('tags the job with the call of the API that it is for', async () => {
    const { jobs, calls } = fixture({});
    await jobs.start({ ...owner, correlationId: 'call-1' }, media);
    expect(calls[0]?.input.Tags).toEqual([{ Key: 'correlationId', Value: 'call-1' }]);
  });

  const conflict = new ConflictException(error);
  test.each([
    ['ours is started', job({ Media: { MediaFileUri: mediaUri } }), 'started'],
    ['for other media is a defect', job({ Media: { MediaFileUri: 's3://other/x' } }), { refused: 'engine_error' }],
    ['without media is a defect', job({}), { refused: 'engine_error' }],
    ['that is gone again is for later', notFound, 'busy'],
    ['that is gone again, said in other words, is for later', noSuchJob, 'busy'],
  ])('a conflict with a job that is %s', async (_name, found, outcome) => {
    const { jobs, calls } = fixture({ Start: conflict, Get: found });
    expect(await jobs.start(owner, media)).toEqual(outcome);
    expect(calls.map(({ input }) => input.TranscriptionJobName)).toEqual([name, name]);
  });

  test('a conflict that cannot be looked into is tried again', async () => {
    await expect(fixture({ Start: conflict, Get: outage }).jobs.start(owner, media)).rejects.toBe(outage);
  });

  test.each([
    ['over the limit of jobs', new LimitExceededException(error)],
    ['throttled', throttled],
  ])('%s is busy', async (_name, said) => {
    expect(await fixture({ Start: said }).jobs.start(owner, media)).toBe('busy');
  });

  test.each([
    ["The S3 URI that you provided can't be accessed. Make sure that you have read permission.", 'recording_missing'],
    ["The URI that you provided doesn't point to an S3 object.", 'recording_missing'],
    ['Unsupported media format.', 'unsupported_media'],
    ['A sentence that nobody has seen yet.', 'engine_error'],
  ])('a bad request is final: %s', async (message, refused) => {
    expect(await fixture({ Start: badRequest(message) }).jobs.start(owner, media)).toEqual({ refused });
  });

  test.each([
    ['an outage', outage],
    ['a refused access', Object.assign(new Error('x'), { name: 'AccessDeniedException' })],
    ['a lost connection', Object.assign(new Error('x'), { code: 'ECONNRESET' })],
  ])('%s is tried again', async (_name, said) => {
    await expect(fixture({ Start: said }).jobs.start(owner, media)).rejects.toBe(said);
  });
});

describe('the state of a job', () => {
  test.each([
    ['that is queued', job({ TranscriptionJobStatus: 'QUEUED' }), 'running'],
    ['that runs', job({ TranscriptionJobStatus: 'IN_PROGRESS' }), 'running'],
    ['that is done', job({ TranscriptionJobStatus: 'COMPLETED' }), 'completed'],
    ['that failed', job({ TranscriptionJobStatus: 'FAILED', FailureReason: 'why' }), { failureReason: 'why' }],
    ['that failed without a word', job({ TranscriptionJobStatus: 'FAILED' }), { failureReason: '' }],
    ['that is not there', notFound, 'absent'],
    ['that is not there, said in other words', noSuchJob, 'absent'],
    ['that the answer leaves out', {}, 'absent'],
  ])('%s', async (_name, said, state) => {
    expect(await fixture({ Get: said }).jobs.state(owner)).toEqual(state);
  });

  test.each([badRequest('Something else.'), outage, throttled])('%s is no state', async (said) => {
    await expect(fixture({ Get: said }).jobs.state(owner)).rejects.toBe(said);
  });
});

describe('removing', () => {
  test.each([
    ['a job', {}, 'removed'],
    ['one that is not there', notFound, 'removed'],
    ['one that is not there, said in other words', noSuchJob, 'removed'],
    ['one that runs, which Transcribe refuses', badRequest('The job is in progress.'), 'later'],
    ['more than Transcribe takes a second', throttled, 'later'],
  ])('%s comes to an end', async (_name, said, outcome) => {
    const { jobs, calls } = fixture({ Delete: said });
    expect(await jobs.remove(owner.organizationId, owner.transcriptionId)).toBe(outcome);
    expect(calls).toEqual([{ name: 'DeleteTranscriptionJobCommand', input: { TranscriptionJobName: name } }]);
  });

  test('is tried again after an outage', async () => {
    const { jobs } = fixture({ Delete: outage });
    await expect(jobs.remove(owner.organizationId, owner.transcriptionId)).rejects.toBe(outage);
  });
});

describe('the end of a job', () => {
  const { jobs } = fixture({});
  const ended = (detail: object) => ({
    detail: { TranscriptionJobName: name, TranscriptionJobStatus: 'COMPLETED' as const, ...detail },
  });

  test('says whose it is', () => {
    expect(jobs.endOf(ended({}))).toEqual({ owner });
  });

  test('says why it failed, and that it failed where no reason is given', () => {
    const failed = { TranscriptionJobStatus: 'FAILED', FailureReason: 'Unsupported media format.' };
    expect(jobs.endOf(ended(failed))).toEqual({ owner, failureCode: 'unsupported_media' });
    expect(jobs.endOf(ended({ TranscriptionJobStatus: 'FAILED' }))).toEqual({ owner, failureCode: 'engine_error' });
  });

  test.each(['somebody-elses-job', `Roomscribe-prod.acme.${uuid(1)}`, name.slice(0, -1), `${name}.x`])(
    'is not of this service: %s',
    (TranscriptionJobName) => {
      expect(jobs.endOf(ended({ TranscriptionJobName }))).toEqual({});
    },
  );

  test.each(['completed', { failureReason: 'Unsupported media format.' }] as const)(
    'that got lost is sent as it would have been: %j',
    (result) => {
      expect(jobs.endOf(jobs.stateChange(owner, result))).toEqual(
        result === 'completed' ? { owner } : { owner, failureCode: 'unsupported_media' },
      );
    },
  );
});
