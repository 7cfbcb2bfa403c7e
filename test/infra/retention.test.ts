import { describe, expect, test } from 'vitest';
import { type StageConfig, stageConfig, stageNames } from '#infra/settings/stages.ts';
import { attributeNames, envNames } from '#shared/runtime/names.ts';
import { at, listOf, stackOf } from '../support/infra/templates.ts';

const given = (context: Readonly<Record<string, string>>) => stageConfig('prod', (key) => context[key]);

const kinds = ['recording', 'transcript', 'sample', 'fact'] as const;
const fewest = { recording: 7, transcript: 7, sample: 7, fact: 60 };

describe('the retention of a stage', () => {
  test.each(stageNames)('is unlimited in %s by default', (stage) => {
    expect(stageConfig(stage, () => undefined).retentionDays).toEqual({});
  });

  test.each(kinds)('accepts a number of days: %s', (kind) => {
    const key = `${kind}RetentionDays`;
    expect(given({ [key]: '365' }).retentionDays).toMatchObject({ [kind]: 365 });
    expect(given({ [key]: String(fewest[kind]) }).retentionDays).toMatchObject({ [kind]: fewest[kind] });
    for (const value of [String(fewest[kind] - 1), '0', '-90', '90.5', '36501', 'Infinity', 'ever', ''])
      expect(() => given({ [key]: value })).toThrow(
        `-c ${key} must be a whole number of days from ${fewest[kind]} to 36500, not "${value}".`,
      );
  });

  test('of old versions of recordings is a number of days', () => {
    expect(given({}).recordingVersionDays).toBe(7);
    expect(given({ recordingVersionDays: '30' }).recordingVersionDays).toBe(30);
    for (const value of ['0', '-1', '1.5', 'ever', ''])
      expect(() => given({ recordingVersionDays: value })).toThrow(
        `-c recordingVersionDays must be a whole number of days from 1 to 36500, not "${value}".`,
      );
  });

  test('of webhooks is a week by default, and a number of days', () => {
    expect(given({}).hookRetentionDays).toBe(7);
    expect(given({ hookRetentionDays: '1' }).hookRetentionDays).toBe(1);
    for (const value of ['0', '-1', '1.5', 'ever', ''])
      expect(() => given({ hookRetentionDays: value })).toThrow(
        `-c hookRetentionDays must be a whole number of days from 1 to 36500, not "${value}".`,
      );
  });

  test('does not concern the bounds of the times of events, a day ahead and a year back by default', () => {
    expect(given({}).eventDays).toEqual({ ahead: 1, back: 365 });
    expect(given({ eventDaysAhead: '2', eventDaysBack: '3650' }).eventDays).toEqual({ ahead: 2, back: 3650 });
  });

  test('of samples is at most that of facts, which the API needs to show samples', () => {
    expect(given({ factRetentionDays: '90' }).retentionDays).toEqual({ fact: 90, sample: 90 });
    const both = given({ factRetentionDays: '90', sampleRetentionDays: '30' });
    expect(both.retentionDays).toEqual({ fact: 90, sample: 30 });
    expect(() => given({ factRetentionDays: '90', sampleRetentionDays: '91' })).toThrow(
      '-c sampleRetentionDays=91 is more than -c factRetentionDays=90',
    );
  });

  test('of logs accepts the values of CloudWatch Logs', () => {
    expect(given({}).logRetention).toBe(90);
    expect(given({ logRetentionDays: '365' }).logRetention).toBe(365);
    for (const value of ['2', '100', '9999', '0', 'ever', ''])
      expect(() => given({ logRetentionDays: value })).toThrow(
        `-c logRetentionDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653, not "${value}".`,
      );
  });
});

/** The retention rules and variables in the stack with these settings. */
function retained(config: Partial<StageConfig>) {
  const stack = stackOf('prod', { config });
  const expirationsOf = (name: string) =>
    stack
      .all('AWS::S3::Bucket')
      .filter(({ path }) => path.includes(`/${name}/`))
      .flatMap(({ properties }) => listOf(at(properties.LifecycleConfiguration, 'Rules')))
      .filter((rule) => at(rule, 'Prefix') === undefined) // storage.test.ts has the rule of intermediate files
      .flatMap((rule) => at(rule, 'ExpirationInDays') ?? []);
  const names: readonly string[] = kinds.flatMap((kind) =>
    kind === 'recording' ? [] : envNames[`${kind}RetentionDays`],
  );
  const variables = stack.all('AWS::Lambda::Function').flatMap(({ path, properties }) => {
    const environment = Object.entries(Object(at(properties, 'Environment', 'Variables')));
    return environment.filter(([name]) => names.includes(name)).map(([name, days]) => [path.split('/')[2], name, days]);
  });
  return {
    stack,
    recordings: expirationsOf('RecordingsBucket'),
    transcripts: expirationsOf('TranscriptsBucket'),
    variables,
  };
}

describe('a stack', () => {
  test('expires nothing and sets no variable of a function by default', () => {
    expect(retained({})).toMatchObject({ recordings: [], transcripts: [], variables: [] });
  });

  test.each([
    ['recording', { recordings: [30], transcripts: [], variables: [] }],
    [
      'transcript',
      {
        recordings: [],
        transcripts: [30],
        variables: ['create-access-link', 'follow-access-link'].map((name) => [
          name,
          'TRANSCRIPT_RETENTION_DAYS',
          '30',
        ]),
      },
    ],
    [
      'sample',
      { recordings: [], transcripts: [], variables: [['record-network-samples', 'SAMPLE_RETENTION_DAYS', '30']] },
    ],
    [
      'fact',
      {
        recordings: [],
        transcripts: [],
        variables: ['record-room-events', 'write-transcript'].map((name) => [name, 'FACT_RETENTION_DAYS', '30']),
      },
    ],
  ] as const)('expires only the kind of data that has a limit: %s', (kind, expected) => {
    expect(retained({ retentionDays: { [kind]: 30 } })).toMatchObject(expected);
  });

  test('expires webhooks, and nothing else, after the days of their setting', () => {
    const { stack, ...others } = retained({ hookRetentionDays: 30 });
    expect(others).toEqual({ recordings: [], transcripts: [], variables: [] });
    const rules = stack
      .all('AWS::S3::Bucket')
      .flatMap(({ properties }) => listOf(at(properties.LifecycleConfiguration, 'Rules')));
    expect(rules).toContainEqual({ ExpirationInDays: 30, Prefix: 'hooks/', Status: 'Enabled' });
    expect(rules).not.toContainEqual({ ExpirationInDays: 7, Prefix: 'hooks/', Status: 'Enabled' });
  });

  test('expires the rows of facts by their attribute', () => {
    const { stack } = retained({});
    const [facts] = stack.all('AWS::DynamoDB::Table').filter(({ path }) => path.includes('/InsightFactsTable/'));
    expect(facts?.properties.TimeToLiveSpecification).toEqual({
      AttributeName: attributeNames.expiresAt,
      Enabled: true,
    });
  });

  test('keeps every log for the configured number of days', () => {
    const { stack } = retained({ logRetention: 14 });
    for (const { properties } of stack.all('AWS::Logs::LogGroup')) expect(properties.RetentionInDays).toBe(14);
  });
});
