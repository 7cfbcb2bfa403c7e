import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { NestedStack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { endpointLimits } from '#infra/functions/endpoint-limits.ts';
import { functionAccess } from '#infra/functions/function-access.ts';
import { usualMemoryMb, wholeProcessorMb } from '#infra/functions/function-memory.ts';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { envNames } from '#shared/runtime/names.ts';
import {
  at,
  type Resource,
  refersTo,
  resourcesOf,
  stackOf,
  statementsOf,
  statementsOfRole,
  withStack,
} from '../support/infra/templates.ts';

const folders = globSync('functions/**/index.ts').map((file) => file.replaceAll('\\', '/').split('/').slice(1, -1));
const nameOf = ({ path }: Resource) => path.split('/').at(path.includes('/Worker/') ? -4 : -3) ?? path;

test('every function except the public ones declares its access in its folder', () => {
  const withAccess = globSync('functions/**/access.ts').map((file) => path.basename(path.dirname(file)));
  const withoutAccess: readonly string[] = publicEndpointList.map(({ operationId }) => operationId);
  const names = folders.map((folder) => String(folder.at(-1)));
  expect(withAccess.sort()).toEqual(names.filter((name) => !withoutAccess.includes(name)).sort());
  expect(Object.keys(functionAccess).sort()).toEqual(withAccess);
});

test.each(['client/index.ts', 'client/cli/main.ts', 'tools/description/documents.ts'])(
  'the bundle of %s does not contain the access of functions',
  async (entryPoint) => {
    const { metafile } = await build({
      entryPoints: [entryPoint],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'silent',
    });
    const sources = Object.keys(metafile.inputs);
    expect(sources).toContain(entryPoint);
    expect(sources.filter((source) => /(^|\/)access\.ts$/.test(source))).toEqual([]);
  },
);

describe.each(stageNames)('the functions of %s', (stage) => {
  const stack = stackOf(stage);
  const functions = stack.all('AWS::Lambda::Function');
  const roleOf = ({ properties }: Resource) => stack.referred(properties.Role, 'AWS::IAM::Role');
  const logGroupOf = ({ properties }: Resource) => stack.referred(properties.LoggingConfig, 'AWS::Logs::LogGroup');

  test('correspond one to one to the function folders', () => {
    expect(functions.map(nameOf).sort()).toEqual(folders.map((folder) => folder.at(-1)).sort());
  });

  test.each([
    ['transcriptionMinutesPerDay', 'TRANSCRIPTION_MINUTES_PER_DAY', 'countsMinutes'],
    ['transcriptionLanguage', 'TRANSCRIPTION_LANGUAGE', 'readsOptionDefaults'],
    ['transcriptionMaxSpeakers', 'TRANSCRIPTION_MAX_SPEAKERS', 'readsOptionDefaults'],
    ['recordingCloseMinutes', 'RECORDING_CLOSE_MINUTES', 'closesRecordings'],
    ['pieceMinutes', 'PIECE_MINUTES', 'plansPieces'],
    ['trackPieceMinutes', 'TRACK_PIECE_MINUTES', 'plansPieces'],
    ['transcriptionPartsAtOnce', 'TRANSCRIPTION_PARTS_AT_ONCE', 'startsParts'],
    ['transcribeStartsPerSecond', 'TRANSCRIBE_STARTS_PER_SECOND', 'pacesJobs'],
    ['sessionSettleSeconds', 'SESSION_SETTLE_SECONDS', 'settlesSessions'],
    ['webhookDisableDays', 'WEBHOOK_DISABLE_DAYS', 'disablesWebhooks'],
    ['webhookReceivers', 'WEBHOOK_RECEIVERS', 'callsWebhooks'],
    ['replaysPerDay', 'REPLAYS_PER_DAY', 'countsReplays'],
    ['webhooksPerOrganization', 'WEBHOOKS_PER_ORGANIZATION', 'countsWebhooks'],
  ] as const)('get the setting %s if they need it, and not otherwise', (setting, variable, flag) => {
    const value = String(stageConfig(stage, () => undefined)[setting]);
    const given = functions.flatMap((one) => {
      const found = at(one.properties, 'Environment', 'Variables', variable);
      return found === undefined ? [] : [[nameOf(one), found]];
    });
    const needing = Object.entries(functionAccess).filter(([, access]) => access[flag]);
    expect(given.sort()).toEqual(needing.map(([name]) => [name, value]).sort());
    expect(given).not.toEqual([]);
  });

  test('are stopped if they loop, except for those that send messages to their own queue', () => {
    const looping = functions.filter(({ properties }) => properties.RecursiveLoop === 'Allow').map(nameOf);
    expect(looping.sort()).toEqual([
      'delete-transcriptions',
      'deliver-notices',
      'prepare-media',
      'record-room-events',
      'replay-notices',
      'start-transcription',
      'translate-hooks',
    ]);
  });

  test('run on Node 24 and arm64', () => {
    for (const { properties } of functions) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
    }
  });

  test('have at least the usual memory, and a timeout', () => {
    for (const { properties } of functions) {
      expect(properties.MemorySize).toBeGreaterThanOrEqual(usualMemoryMb);
      expect(properties.Timeout).toBeGreaterThan(0);
    }
  });

  test('are the authorizer with a whole processor, for which a first request waits', () => {
    const authorizer = functions.find((one) => nameOf(one) === 'authorize-request');
    expect(authorizer?.properties.MemorySize).toBe(wholeProcessorMb);
  });

  test('have the memory and the timeout that their endpoint needs', () => {
    const ofEndpoints = functions.filter((one) => nameOf(one) in endpointLimits);
    const limits = ofEndpoints.map(({ properties, ...one }) => [
      nameOf({ properties, ...one }),
      [properties.MemorySize, properties.Timeout],
    ]);
    expect(Object.fromEntries(limits)).toEqual({
      'correct-speaker': [1024, 29],
      'get-participant': [1024, 29],
      'receive-hook': [1024, 10],
      'test-webhook': [512, 20],
    });
    expect(ofEndpoints).toHaveLength(Object.keys(endpointLimits).length);
  });

  test('each have their own log group', () => {
    const groups = functions.map(logGroupOf);
    expect(new Set(groups.map(({ id }) => id)).size).toBe(functions.length);
  });

  test('keep logs for the configured time, and no log group keeps them forever', () => {
    const { logRetention } = stageConfig(stage, () => undefined);
    for (const { properties } of stack.all('AWS::Logs::LogGroup'))
      expect(properties.RetentionInDays).toBe(logRetention);
  });

  test('each have their own role, which only Lambda may assume and which has no managed policies', () => {
    const roles = functions.map(roleOf);
    expect(new Set(roles.map(({ id }) => id)).size).toBe(functions.length);
    for (const { properties } of roles) {
      expect(properties).not.toHaveProperty('ManagedPolicyArns');
      expect(statementsOf(properties.AssumeRolePolicyDocument)).toMatchObject([
        { actions: ['sts:AssumeRole'], principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });

  test('may use only named actions, and "*" as a resource only to start a job and to list streams', () => {
    for (const { actions, resources } of functions.flatMap((one) => statementsOfRole(stack, roleOf(one)))) {
      for (const action of actions) expect(action).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
      if (resources.includes('*'))
        expect(['transcribe:StartTranscriptionJob', 'dynamodb:ListStreams']).toContain(actions.join());
    }
  });

  test('may write only to their own log group', () => {
    for (const one of functions) {
      const logging = statementsOfRole(stack, roleOf(one)).filter(({ actions }) =>
        actions.some((action) => String(action).startsWith('logs:')),
      );
      expect(logging).toHaveLength(1);
      for (const { resources } of logging)
        for (const resource of resources) expect(refersTo(resource, logGroupOf(one).id)).toBe(true);
    }
  });

  test.each(folders.map((folder) => ({ name: String(folder.at(-1)), file: `functions/${folder.join('/')}/index.ts` })))(
    'set every environment variable that $name reads',
    ({ name, file }) => {
      const own = readFileSync(file, 'utf8');
      const code = own.includes('admissionFromEnv')
        ? own + readFileSync('functions/wiring/admission-from-env.ts', 'utf8')
        : own;
      const tables = [...code.matchAll(/tableEnv\(([^)]+)\)/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []);
      const keys = [
        ...[...code.matchAll(/envNames\.(\w+)/g)].map(([, key]) => key),
        ...tables.map((table) => `${table}Table`),
      ];
      const read = keys.map((key) => envNames[key as keyof typeof envNames]);
      const found = functions.find((one) => nameOf(one) === name);
      const set = Object.keys(Object(at(found?.properties, 'Environment', 'Variables')));
      expect(read.length > 0).toBe(name !== 'get-api-description'); // it reads no environment variable of its own
      expect(set).toEqual(expect.arrayContaining([...read, envNames.logLevel, envNames.serviceName]));
    },
  );
});

describe('X-Ray tracing', () => {
  const tracingOf = (stack: ReturnType<typeof stackOf>) =>
    stack.all('AWS::Lambda::Function').map(({ properties }) => at(properties, 'TracingConfig', 'Mode'));

  test.each(stageNames)('is off for every function of %s, without permissions to write traces', (stage) => {
    const stack = stackOf(stage);
    expect(new Set(tracingOf(stack))).toEqual(new Set([undefined]));
    expect(stack.text).not.toContain('xray:');
  });

  test('is on for every function if the stage enables it', () => {
    const stack = stackOf('prod', { config: { tracing: true } });
    expect(new Set(tracingOf(stack))).toEqual(new Set(['Active']));
    for (const { properties } of stack.all('AWS::Lambda::Function')) {
      const role = stack.referred(properties.Role, 'AWS::IAM::Role');
      const written = statementsOfRole(stack, role).filter(({ actions }) => String(actions).includes('xray:'));
      expect(written.flatMap(({ actions }) => actions)).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords']);
    }
  });
});

test.each(stageNames)('the saved query searches every log of %s, and of a stage with 60 more functions', (stage) => {
  withStack(stage, {}, (stack) => {
    const code = Code.fromInline('exports.handler = () => {}');
    const more = new NestedStack(stack, 'More'); // a stack has at most 500 resources
    for (let count = 0; count < 60; count++)
      new LambdaFunction(more, `Function${count}`, {
        ...{ code, runtime: Runtime.NODEJS_LATEST, handler: 'index.handler' },
        logGroup: new LogGroup(more, `Logs${count}`),
      });
    const { all } = resourcesOf(stack);
    expect(all('AWS::Lambda::Function').length).toBe(stackOf(stage).all('AWS::Lambda::Function').length + 60);
    // CloudFormation begins the names of log groups with that of the stack, or of a stack nested in it.
    for (const { properties } of all('AWS::Logs::LogGroup')) expect(properties).not.toHaveProperty('LogGroupName');
    const [query, ...others] = all('AWS::Logs::QueryDefinition').map(({ properties }) => properties);
    expect(others).toEqual([]);
    expect(query).not.toHaveProperty('LogGroupNames');
    expect(query).toMatchObject({ Name: `Roomscribe-${stage}/one call` });
    const text = JSON.stringify(query);
    expect(text).toContain(`["SOURCE logGroups(namePrefix: ['",{"Ref":"AWS::StackName"},"-']) | fields`);
    expect(text).toContain('| filter correlationId = ');
  });
});

test('settings of insights reach the functions that read them, and no others', () => {
  const stack = stackOf('dev', {
    config: { defaultSampleRateMs: 700, nonParticipantRoles: ['bot', 'assistant'], speakerRoles: ['bot', 'host'] },
  });
  const readers = (variable: string) =>
    stack.all('AWS::Lambda::Function').flatMap((one) => {
      const value = at(one.properties, 'Environment', 'Variables', variable);
      return value === undefined ? [] : [[nameOf(one), value]];
    });
  expect(readers(envNames.nonParticipantRoles)).toEqual([['record-room-events', 'bot,assistant']]);
  const namers = ['correct-speaker', 'finish-transcription', 'merge-transcription', 'prepare-media'];
  expect(readers(envNames.speakerRoles).toSorted()).toEqual(namers.map((name) => [name, 'bot,host']));
  expect(readers(envNames.defaultSampleRateMs)).toEqual([['get-participant', '700']]);
});
