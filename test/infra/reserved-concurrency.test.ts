import { expect, test } from 'vitest';
import { queueWorkers } from '#infra/functions/workers.ts';
import { stageConfig } from '#infra/settings/stages.ts';
import { stackOf } from '../support/infra/templates.ts';

const reserved = (reservedConcurrency?: string, others: Readonly<Record<string, string>> = {}) => {
  const context: Readonly<Record<string, string | undefined>> = { ...others, reservedConcurrency };
  return stageConfig('prod', (key) => context[key]).reservedConcurrency;
};

test('no concurrency is reserved by default', () => {
  expect(reserved()).toEqual({});
  for (const { properties } of stackOf('prod').all('AWS::Lambda::Function'))
    expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
});

test('reserved concurrency applies to the named functions only', () => {
  const reservedConcurrency = reserved('list-room-insights=50,finish-transcription=20,get-api-description=1');
  const functions = stackOf('prod', { config: { reservedConcurrency } }).all('AWS::Lambda::Function');
  const found = functions.flatMap(({ path, properties: { ReservedConcurrentExecutions: count } }) =>
    count === undefined ? [] : [[path.split('/')[2], count]],
  );
  expect(Object.fromEntries(found)).toEqual(reservedConcurrency);
});

test('reserved concurrency is a list of functions with a number each', () => {
  for (const value of [
    '',
    'finish-transcription',
    'finish-transcription=0',
    'finish-transcription=-1',
    'a=1,',
    'a=1.5',
  ])
    expect(() => reserved(value)).toThrow('-c reservedConcurrency must be functions with a number each');
});

test('reserved concurrency for an unknown function is refused, with the names of the functions', () => {
  for (const name of ['finish-transcriptions', 'to-string'])
    expect(() => reserved(`${name}=5`)).toThrow(
      new RegExp(`names ${name}, which is not a function. The functions are .*finish-transcription`),
    );
});

test('reserved concurrency for the authorizer is refused in a stage with its own issuer, which has no authorizer function', () => {
  expect(reserved('authorize-request=5')).toEqual({ 'authorize-request': 5 });
  expect(() => reserved('authorize-request=5', { issuer: 'https://issuer.example.com' })).toThrow(
    '-c reservedConcurrency names authorize-request, which this stage does not have: with -c issuer,',
  );
});

test.each(queueWorkers)(
  '$name cannot have less than the invocations that its queue starts',
  ({ name, maxConcurrency }) => {
    expect(reserved(`${name}=${maxConcurrency}`)).toEqual({ [name]: maxConcurrency });
    expect(() => reserved(`${name}=${maxConcurrency - 1}`)).toThrow(
      `-c reservedConcurrency=${name}=${maxConcurrency - 1} is less than the ${maxConcurrency} invocations`,
    );
  },
);
