import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultOf, settings } from '#infra/settings/stage-settings.ts';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { mixedFileLimits, trackLimits } from '#shared/domain/media/media-plan.ts';
import { at, listOf, stackOf } from '../../support/infra/templates.ts';

const nothing = () => undefined;

describe('stageConfig', () => {
  test.each(['', 'staging', 'DEV', 'toString', '__proto__', 'constructor'])(
    'rejects the unknown stage %j and lists the stages',
    (stage) => {
      expect(() => stageConfig(stage, nothing)).toThrow(`Unknown stage "${stage}": use -c stage=dev or -c stage=prod.`);
    },
  );

  test.each(stageNames)('for %s, accepts an issuer, an audience and a claim', (stage) => {
    const context = { issuer: 'https://id.example.org', audience: 'my-api', organizationClaim: 'custom:tenant' };
    const ownIssuer = { ...context, consoleScope: 'openid' };
    expect(stageConfig(stage, (key) => context[key as keyof typeof context]).ownIssuer).toEqual(ownIssuer);
    const issuerAlone = stageConfig(stage, (key) => (key === 'issuer' ? context.issuer : undefined));
    expect(issuerAlone.ownIssuer).toEqual({
      issuer: context.issuer,
      audience: 'roomscribe',
      organizationClaim: 'client_id',
      consoleScope: 'openid',
    });
  });

  test.each(stageNames)(
    'for %s, has no issuer by default and rejects an audience or a claim without an issuer',
    (stage) => {
      expect(stageConfig(stage, nothing)).not.toHaveProperty('ownIssuer');
      for (const lone of ['audience', 'organizationClaim']) {
        expect(() => stageConfig(stage, (key) => (key === lone ? 'value' : undefined))).toThrow('give -c issuer too');
      }
    },
  );
});

test.each(stageNames)('%s accepts a rate limit that allows the most expensive request', (stage) => {
  const limited = (value: string) =>
    stageConfig(stage, (key) => (key === 'rateLimitPointsPerMinute' ? value : undefined)).rateLimitPointsPerMinute;
  expect(limited('3')).toBe(3);
  for (const value of ['2', '0', '-5', '1.5', 'many', '', 'Infinity']) {
    expect(() => limited(value)).toThrow('-c rateLimitPointsPerMinute must be a whole number of at least 3');
  }
});

test.each(stageNames)('%s accepts a ceiling on bulk deletes that allows the largest request', (stage) => {
  const ceiling = (value?: string) =>
    stageConfig(stage, (key) => (key === 'bulkDeleteIdsPerHour' ? value : undefined)).bulkDeleteIdsPerHour;
  expect([ceiling(), ceiling('10000')]).toEqual([100_000, 10_000]);
  for (const value of ['9999', '0', 'many'])
    expect(() => ceiling(value)).toThrow('-c bulkDeleteIdsPerHour must be a whole number of at least 10000');
});

const roleSettings = ['nonParticipantRoles', 'speakerRoles'] as const;
const stagesWithRoles = stageNames.flatMap((stage) => roleSettings.map((setting) => [stage, setting] as const));

test.each(stagesWithRoles)('%s accepts up to ten roles in %s', (stage, setting) => {
  const roles = (value?: string) => stageConfig(stage, (key) => (key === setting ? value : undefined))[setting];
  const ten = Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(64, 'x'));
  expect([roles(), roles('bot'), roles('Bot 2,captioner')]).toEqual([undefined, ['bot'], ['Bot 2', 'captioner']]);
  expect(roles(ten.join())).toEqual(ten);
  const wrong = ['', ',', 'bot,', ' bot', 'bot, assistant', 'x'.repeat(65), '\ud800', [...ten, 'one more'].join()];
  for (const value of wrong)
    expect(() => roles(value)).toThrow(
      `-c ${setting} must be up to 10 roles of 1 to 64 characters, with commas and no spaces between them, not "`,
    );
});

test.each(stageNames)('%s accepts a default rate of samples that platforms may send', (stage) => {
  const rate = (value?: string) =>
    stageConfig(stage, (key) => (key === 'defaultSampleRateMs' ? value : undefined)).defaultSampleRateMs;
  expect([rate(), rate('100'), rate('3600000')]).toEqual([2000, 100, 3_600_000]);
  for (const value of ['99', '3600001', '2000.5', '-1', '', 'often'])
    expect(() => rate(value)).toThrow(
      `-c defaultSampleRateMs must be a whole number of milliseconds from 100 to 3600000, not "${value}".`,
    );
});

test.each(stageNames)('%s accepts a ceiling on minutes that allows the longest file of a job', (stage) => {
  const ceiling = (value?: string) =>
    stageConfig(stage, (key) => (key === 'transcriptionMinutesPerDay' ? value : undefined)).transcriptionMinutesPerDay;
  const longest = mixedFileLimits.jobSeconds / 60;
  expect([ceiling(), ceiling(String(longest))]).toEqual([30_000, longest]);
  for (const value of [String(longest - 1), '0', 'many'])
    expect(() => ceiling(value)).toThrow(`-c transcriptionMinutesPerDay must be a whole number of at least ${longest}`);
});

test.each(stageNames)('%s accepts a language that can be recognized as its default', (stage) => {
  const language = (value?: string) =>
    stageConfig(stage, (key) => (key === 'transcriptionLanguage' ? value : undefined)).transcriptionLanguage;
  expect([language(), language('de-CH')]).toEqual(['auto', 'de-CH']);
  for (const value of ['', 'en', 'en-us', 'en-US,de-DE'])
    expect(() => language(value)).toThrow(
      '-c transcriptionLanguage must be auto or the code of a language, such as en-US',
    );
});

test.each(stageNames)('%s accepts pieces, parts, starts and closing times within their bounds', (stage) => {
  const bounds = {
    transcriptionMaxSpeakers: [2, 10, 30],
    recordingCloseMinutes: [1, 15, 1440],
    pieceMinutes: [15, mixedFileLimits.pieceSeconds / 60, mixedFileLimits.jobSeconds / 60],
    trackPieceMinutes: [15, trackLimits.pieceSeconds / 60, trackLimits.jobSeconds / 60],
    transcriptionPartsAtOnce: [1, 25, 1000],
    transcribeStartsPerSecond: [1, 10, 100],
  } as const satisfies Readonly<Record<string, readonly [fewest: number, usual: number, most: number]>>;
  for (const key of Object.keys(bounds) as (keyof typeof bounds)[]) {
    const [fewest, usual, most] = bounds[key];
    const value = (given?: unknown) => stageConfig(stage, (name) => (name === key ? given : undefined))[key];
    expect([value(), value(String(fewest)), value(String(most))]).toEqual([usual, fewest, most]);
    for (const wrong of [fewest - 1, most + 1, '1.5', '', 'many'])
      expect(() => value(wrong)).toThrow(`-c ${key} must be a whole number `);
  }
});

test.each(stageNames)('%s accepts batches of room events that Lambda accepts', (stage) => {
  const batch = (roomEventsBatchSize?: string, roomEventsBatchWindowSeconds?: string) => {
    const context: Readonly<Record<string, unknown>> = { roomEventsBatchSize, roomEventsBatchWindowSeconds };
    return stageConfig(stage, (key) => context[key]).roomEventBatch;
  };
  expect([batch(), batch('10', '0')]).toEqual([
    { size: 100, windowSeconds: 1 },
    { size: 10, windowSeconds: 0 },
  ]);
  expect(() => batch('11', '0')).toThrow(
    '-c roomEventsBatchSize=11 needs -c roomEventsBatchWindowSeconds of at least 1: without a window, Lambda allows at most 10.',
  );
  for (const size of ['0', '1001', '2.5'])
    expect(() => batch(size)).toThrow('-c roomEventsBatchSize must be a whole number of events from 1 to 1000');
  for (const window of ['-1', '61', '0.5'])
    expect(() => batch('10', window)).toThrow('-c roomEventsBatchWindowSeconds must be a whole number of seconds from');
});

test.each(stageNames)('%s traces functions only if tracing is true', (stage) => {
  const tracing = (value?: string) => stageConfig(stage, (key) => (key === 'tracing' ? value : undefined)).tracing;
  expect(tracing()).toBe(false);
  expect(tracing('true')).toBe(true);
  expect(() => tracing('yes')).toThrow('-c tracing must be true or false, not "yes".');
});

test.each(stageNames)('%s sends alarms to no e-mail address by default', (stage) => {
  const emails = (context: Readonly<Record<string, string>>) => stageConfig(stage, (key) => context[key]).alarmEmails;
  expect(emails({})).toEqual({ urgent: undefined, routine: undefined });
  const alarmEmail = 'ops@example.com';
  expect(emails({ alarmEmail })).toEqual({ urgent: alarmEmail, routine: alarmEmail });
  const urgentAlarmEmail = 'pager@example.com';
  expect(emails({ alarmEmail, urgentAlarmEmail })).toEqual({ urgent: urgentAlarmEmail, routine: alarmEmail });
  expect(emails({ urgentAlarmEmail })).toEqual({ urgent: urgentAlarmEmail, routine: undefined });
  for (const key of ['alarmEmail', 'urgentAlarmEmail'])
    for (const value of ['', 'ops', 'ops@', 'https://example.com'])
      expect(() => emails({ [key]: value })).toThrow(`-c ${key} must be an e-mail address`);
});

describe.each(stageNames)('the repository of %s', (stage) => {
  const repository = (context: Readonly<Record<string, string>>) =>
    stageConfig(stage, (key) => context[key]).repository;
  const repositoryUrl = 'https://github.com/example/roomscribe';

  test('is unknown by default', () => {
    expect(repository({})).toBeUndefined();
    expect(repository({ commit: 'v1.0.0' })).toBeUndefined();
  });

  test('shows the given commit, or the one that is checked out', () => {
    expect(repository({ repositoryUrl, commit: 'v1.0.0' })).toEqual({ url: repositoryUrl, commit: 'v1.0.0' });
    expect(repository({ repositoryUrl })?.commit).toMatch(/^([0-9a-f]{40,64}|HEAD)$/); // HEAD outside a git repository
  });

  test('has an address that pages can be added to', () => {
    for (const url of [
      '',
      'github.com/example',
      'http://github.com/example',
      `${repositoryUrl}/`,
      `${repositoryUrl}?a=b`,
    ])
      expect(() => repository({ repositoryUrl: url })).toThrow('-c repositoryUrl must be an address such as https://');
    for (const commit of ['', 'a b', '/main', 'a//b', '#1'])
      expect(() => repository({ repositoryUrl, commit })).toThrow('-c commit must be a commit, tag or branch');
  });
});

test.each(stageNames)('%s reports all invalid values at once', (stage) => {
  const context: Readonly<Record<string, string>> = {
    tracing: 'yes',
    logRetentionDays: '2',
    corsOrigins: 'https://fine.example.com,null,*',
  };
  const problems = [
    '-c logRetentionDays must be one of 1, 3, .*, not "2"\\.',
    '-c tracing must be true or false, not "yes"\\.',
    '-c corsOrigins must list origins .*, not "null"\\. http is .*',
    '-c corsOrigins must list origins .*, not "\\*"\\. http is .*',
  ];
  expect(() => stageConfig(stage, (key) => context[key])).toThrow(new RegExp(`^${problems.join('\\n')}$`));
});

test('docs/operations.md has a row for every setting, with its default and its text', () => {
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('\n## Settings\n\n');
  const [table = ''] = section.split('\n\n');
  const rows = table.split('\n').slice(2);
  const expected = Object.entries(settings).map(([key, setting]) => {
    const [first, ...others] = stageNames.map((stage) => `${defaultOf(setting, stage) ?? 'none'}`);
    const usual = others.every((other) => other === first)
      ? first
      : stageNames.map((stage) => `${defaultOf(setting, stage)} in ${stage}`).join(', ');
    return `| \`${key}\` | ${usual} | ${setting.text} |`;
  });
  const stageRow = '| `stage` | dev | The stage: `dev` or `prod`. The stack is named `Roomscribe-<stage>`. |';
  expect(rows).toEqual([stageRow, ...expected]);
});

describe.each(stageNames)('the stack of %s', (stage) => {
  const stack = stackOf(stage);

  test('is protected from deletion if it keeps its data', () => {
    expect(stack.isProtected).toBe(stage === 'prod');
  });

  test('gives no resource a fixed name, so that it can be deployed twice', () => {
    // Names within a role, an API, a user pool or a function. Two deployments never share one of these.
    const inner = new Set([
      'AWS::IAM::Policy',
      'AWS::ApiGatewayV2::Authorizer',
      'AWS::ApiGatewayV2::Stage',
      'AWS::Cognito::UserPoolResourceServer',
      'AWS::Lambda::Alias',
    ]);
    const elsewhere = new Set(['MetricName', 'DeploymentConfigName']); // names of resources outside the stack
    const displayed = new Set(['AWS::ApiGatewayV2::Api', 'AWS::Logs::QueryDefinition']); // display names of the console: the resources have IDs
    for (const { id, type, properties } of stack.resources) {
      if (inner.has(type) || displayed.has(type)) continue;
      const named = Object.entries(properties).filter(
        ([key, value]) => /(^|[a-z])Name$/.test(key) && !elsewhere.has(key) && typeof value === 'string',
      );
      expect([id, named]).toEqual([id, []]);
    }
  });

  test('has the same resources under another name, and does not refer to the first stack', () => {
    const other = stackOf(stage, { stackName: 'Somebody-Elses' });
    expect(other.resources.map(({ type }) => type)).toEqual(stack.resources.map(({ type }) => type));
    expect(other.text.includes(stack.stackName)).toBe(false);
  });

  test('shares no name and no export with another deployment in the account', () => {
    const other = stackOf(stage, { stackName: 'Somebody-Elses' });
    expect(stack.text.includes('"Export"')).toBe(false);
    const prefixes = [stack, other].map(({ text }) => /"prefix":"([^"]+)"/.exec(text)?.[1]);
    expect(prefixes).toEqual([`${stack.stackName}.`, 'Somebody-Elses.']);
  });
});

test('dev leaves nothing behind when it is deleted, and prod leaves its data and its logs', () => {
  const kept = (stage: string) =>
    stackOf(stage)
      .resources.filter(({ deletionPolicy }) => deletionPolicy !== undefined && deletionPolicy !== 'Delete')
      .map(({ type }) => type);
  expect(kept('dev')).toEqual([]);
  expect([...new Set(kept('prod'))].sort()).toEqual([
    'AWS::Cognito::UserPool',
    'AWS::DynamoDB::Table',
    'AWS::Lambda::Version',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SecretsManager::Secret',
  ]);
});

test('prod keeps the log groups of a deleted stack, and none of a first deployment that failed', () => {
  const policies = stackOf('prod').all('AWS::Logs::LogGroup');
  expect(new Set(policies.map(({ deletionPolicy }) => deletionPolicy))).toEqual(new Set(['RetainExceptOnCreate']));
});

describe.each(stageNames)('the outputs of %s', (stage) => {
  const { outputs } = stackOf(stage);

  test('begin with those that a platform needs', () => {
    expect(Object.keys(outputs).slice(0, 3)).toEqual([
      'RecordingsBucketName',
      'RoomEventsQueueUrl',
      'NetworkSamplesQueueUrl',
    ]);
  });

  test('are described in the template and in docs/operations.md', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    for (const [name, output] of Object.entries(outputs)) {
      const description = String(at(output, 'Description'));
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].{15,}\.$/)]);
      if (
        !/(Table|DeadLetter|Preparation|Jobs|Results|Merges|Changes|BulkDelete|PlatformHooks|NoticeEventsQ|Plans|Runs|Replays)/.test(
          name,
        )
      )
        expect(page).toContain(`| \`${name}\` | ${description} |`);
    }
  });
});

describe('the tags of a stage', () => {
  const tags = (value?: string) => stageConfig('dev', (key) => (key === 'tags' ? value : undefined)).tags;

  test('are pairs of names and values', () => {
    expect(tags()).toEqual({});
    expect(tags('owner=video-team,cost=1234')).toEqual({ owner: 'video-team', cost: '1234' });
    expect(tags('note=a=b,empty=')).toEqual({ note: 'a=b', empty: '' });
    for (const value of ['', 'owner', '=team', 'owner=a,', 'aws:owner=team', 'owner=a;b'])
      expect(() => tags(value)).toThrow('-c tags must be tags such as owner=video-team');
  });

  test('are on every resource that can have tags', () => {
    const stack = stackOf('prod', { config: { tags: { owner: 'video-team', cost: '1234' } } });
    const tagged = stack.resources.filter(({ properties }) => {
      const { Tags, UserPoolTags } = properties;
      const asMap = listOf(Tags).every((tag) => at(tag, 'Key') === undefined) ? (UserPoolTags ?? Tags) : undefined;
      const owner = listOf(Tags).find((tag) => at(tag, 'Key') === 'owner');
      return at(asMap, 'owner') === 'video-team' || at(owner, 'Value') === 'video-team';
    });
    const taggedIds = new Set(tagged.map(({ id }) => id));
    const taggable = [
      ...['DynamoDB::Table', 'S3::Bucket', 'SQS::Queue', 'SNS::Topic', 'KMS::Key', 'Lambda::Function', 'IAM::Role'],
      ...['Logs::LogGroup', 'CloudWatch::Alarm', 'ApiGatewayV2::Api', 'ApiGatewayV2::Stage', 'Cognito::UserPool'],
      ...['Events::Rule', 'CodeDeploy::Application', 'Lambda::EventSourceMapping'],
      ...['Events::EventBus', 'SecretsManager::Secret'],
    ];
    for (const type of taggable)
      for (const { id } of stack.all(`AWS::${type}`)) expect([id, taggedIds.has(id)]).toEqual([id, true]);
  });
});
