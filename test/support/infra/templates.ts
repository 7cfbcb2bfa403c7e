import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import * as z from 'zod/mini';
import { type StageConfig, stageConfig } from '#infra/settings/stages.ts';
import { ServiceStack } from '#infra/stack/service-stack.ts';
import { readFlatTemplate } from '#tools/local/template/flatten.ts';

const TemplateShape = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z._default(z.record(z.string(), z.unknown()), {}),
      DeletionPolicy: z.optional(z.string()),
      UpdateReplacePolicy: z.optional(z.string()),
      UpdatePolicy: z.optional(z.unknown()),
      DependsOn: z.optional(z.unknown()),
      Metadata: z.optional(z.object({ 'aws:cdk:path': z.optional(z.string()) })),
    }),
  ),
  Outputs: z._default(z.record(z.string(), z.unknown()), {}),
});

/** A resource of a template. `path` is its path in the tree of constructs. */
export type Resource = {
  readonly id: string;
  readonly type: string;
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly deletionPolicy: string | undefined;
  readonly updateReplacePolicy: string | undefined;
  readonly updatePolicy: unknown;
  /** Logical ids of the resources that CloudFormation creates and updates first. */
  readonly dependsOn: readonly unknown[];
};

/** A synthesized stack, with lookups for tests. */
export type SynthesizedStack = ReturnType<typeof stackOf>;

/**
 * The stack of a stage with the resources of its nested stacks, synthesized in this process without bundling and once for
 * the same arguments. `config` and `stackName` override what the stage sets.
 */
export function stackOf(stage: string, options: StackOptions = {}) {
  const key = JSON.stringify([stage, options]);
  const known = stacks.get(key);
  if (known !== undefined) return known;
  const stack = synthesize(stage, options);
  stacks.set(key, stack);
  return stack;
}

/** The stacks of this process: test files share them, because most of them ask for the same ones. */
const stacks = new Map<string, ReturnType<typeof synthesize>>();

function synthesize(stage: string, options: StackOptions) {
  return withStack(stage, options, (stack) => ({
    ...resourcesOf(stack),
    isProtected: stack.terminationProtection === true,
  }));
}

/**
 * A stage that uses every setting. A rule that holds for this stage and for the default one holds for stages in
 * between.
 */
export const everySetting: Partial<StageConfig> = {
  alarmEmails: { urgent: 'pager@example.com', routine: 'ops@example.com' },
  repository: { url: 'https://github.com/example/roomscribe', commit: 'v1.0.0' },
  tracing: true,
  recordingLinks: true,
  canaryMinutes: 30,
  customDomain: {
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
    hostedZone: { hostedZoneId: 'Z0123456789ABCDEFGHIJ', zoneName: 'example.com' },
  },
  corsOrigins: ['https://app.example.com'],
  platformPrincipals: ['arn:aws:iam::210987654321:role/media-server'],
  retentionDays: { recording: 30, transcript: 30, sample: 60, fact: 90 },
  tags: { owner: 'video-team', cost: '1234' },
  customerManagedKey: true,
  reservedConcurrency: { 'finish-transcription': 20 },
};

/** A stage with a console, at the address that CloudFront assigns. */
export const withConsole: Partial<StageConfig> = { console: true };

/** Every setting, and a console with a domain name of its own. */
export const everySettingWithConsole: Partial<StageConfig> = {
  ...everySetting,
  console: true,
  consoleDomain: {
    domainName: 'console.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/7c1e3cf4-6a0f-4c55-8d67-9f2f5f3f3a10',
    hostedZone: { hostedZoneId: 'Z0123456789ABCDEFGHIJ', zoneName: 'example.com' },
  },
};

/** Pages for tests, so that none of them has to build the console. */
export const consolePage = path.resolve('test/support/console-page');

/** Overrides of the settings of a stage. */
export type StackOptions = { readonly config?: Partial<StageConfig>; readonly stackName?: string };

/** Returns what `read` reads from the construct tree of a stage's stack. Removes the assembly afterwards. */
export function withStack<Read>(
  stage: string,
  { config = {}, stackName = `Roomscribe-${stage}` }: StackOptions,
  read: (stack: ServiceStack) => Read,
): Read {
  const outdir = mkdtempSync(path.join(tmpdir(), 'roomscribe-synth-'));
  try {
    const metadata = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };
    const context = { 'aws:cdk:bundling-stacks': [], ...metadata };
    // Validation takes seconds, and test/infra/templates.test.ts does it once.
    const app = new App({ outdir, context, builtinCloudFormationValidation: false });
    const settings = { ...stageConfig(stage, () => undefined), ...config };
    const consoleFolder = settings.console ? consolePage : undefined;
    return read(new ServiceStack(app, stackName, { config: settings, consoleFolder }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Synthesizes the app of a stack. */
export function synthesized(stack: ServiceStack): CloudAssembly {
  return (stack.node.root as App).synth();
}

/** The resources of a stack and of its nested stacks, as they are now. It can be read once. */
export function resourcesOf(stack: ServiceStack) {
  return readTemplate(readFlatTemplate(synthesized(stack).directory, stack.templateFile), stack.stackName);
}

function readTemplate(template: unknown, stackName: string) {
  const { Resources, Outputs } = TemplateShape.parse(template);
  const everything = Object.entries(Resources).map(
    ([id, resource]): Resource => ({
      id,
      type: resource.Type,
      path: resource.Metadata?.['aws:cdk:path'] ?? id,
      properties: resource.Properties,
      deletionPolicy: resource.DeletionPolicy,
      updateReplacePolicy: resource.UpdateReplacePolicy,
      updatePolicy: resource.UpdatePolicy,
      dependsOn: listOf(resource.DependsOn),
    }),
  );
  const isHelper = ({ type, path }: Resource) => path.includes('/Custom::') || type.startsWith('Custom::');
  const resources = everything.filter((resource) => !isHelper(resource));
  function referred(value: unknown, type: string): Resource {
    const found = resources.filter(({ id, type: other }) => other === type && refersTo(value, id));
    if (found.length !== 1 || !found[0]) throw new Error(`${JSON.stringify(value)} names ${found.length} ${type}.`);
    return found[0];
  }
  return {
    stackName,
    resources,
    /** The functions that CDK adds to empty buckets. CloudFormation calls them. They are not part of the service. */
    helpers: everything.filter(isHelper),
    outputs: Outputs,
    text: JSON.stringify(template),
    /** The resources of a type. Throws if there are none, because a rule over no resources proves nothing. */
    all(type: string): readonly Resource[] {
      const found = resources.filter((resource) => resource.type === type);
      if (found.length === 0) throw new Error(`The template has no ${type}.`);
      return found;
    },
    /** The only resource of a type that a value refers to. */
    referred,
    /** The function that a value calls by its alias. Throws if the value names the function itself. */
    called(value: unknown): Resource {
      return referred(referred(value, 'AWS::Lambda::Alias').properties.FunctionName, 'AWS::Lambda::Function');
    },
  };
}

/** The value at a path inside another value. Undefined if the path does not exist. */
export function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([name]) => name === String(key))?.[1]
        : undefined,
    value,
  );
}

/** The elements of a list. A single value counts as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Whether a value contains a `Ref` or a `Fn::GetAtt` of a resource at any depth. */
export function refersTo(value: unknown, id: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (at(value, 'Ref') === id || at(value, 'Fn::GetAtt', 0) === id) return true;
  return Object.values(value).some((inner) => refersTo(inner, id));
}

/** A policy statement. Single values are converted to lists. */
export type Statement = {
  readonly effect: unknown;
  readonly actions: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly principal: unknown;
  readonly condition: unknown;
};

/** The statements of a policy document. */
export function statementsOf(document: unknown): Statement[] {
  return listOf(at(document, 'Statement')).map((statement) => ({
    effect: at(statement, 'Effect'),
    actions: listOf(at(statement, 'Action')),
    resources: listOf(at(statement, 'Resource')),
    principal: at(statement, 'Principal'),
    condition: at(statement, 'Condition'),
  }));
}

/** All policy statements of a role, from inline and attached policies. */
export function statementsOfRole(stack: SynthesizedStack, role: Resource): Statement[] {
  const attached = stack.resources.filter(
    ({ type, properties }) => type === 'AWS::IAM::Policy' && refersTo(properties.Roles, role.id),
  );
  const own = listOf(role.properties.Policies).map((policy) => at(policy, 'PolicyDocument'));
  return [...own, ...attached.map(({ properties }) => properties.PolicyDocument)].flatMap(statementsOf);
}
