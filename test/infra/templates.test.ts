import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type StageConfig, stageNames } from '#infra/settings/stages.ts';
import { findings, TemplateSections } from '../support/infra/template-findings.ts';
import { everySettingWithConsole, synthesized, withConsole, withStack } from '../support/infra/templates.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

type TemplateFile = { readonly name: string; readonly file: string };

/** The template files of a stage that CloudFormation receives. The parent comes first. */
function templateFiles(stage: string, config: Partial<StageConfig> = {}): TemplateFile[] {
  return withStack(stage, { config }, (stack) => {
    const { directory } = synthesized(stack);
    const nested = stack.node.findAll().filter((construct) => NestedStack.isNestedStack(construct));
    return [stack, ...nested].map(({ templateFile, node }) => ({
      name: node.path,
      file: readFileSync(path.join(directory, templateFile), 'utf8'),
    }));
  });
}

const parsed = (file: string) => TemplateSections.parse(JSON.parse(file));

/**
 * The limits of each stack. CloudFormation allows 500 resources, 1 000 000 bytes, and 200 of each of the others. At
 * least a tenth stays free, so that an urgent change never hits a limit.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
 */
const most = { Resources: 400, Parameters: 180, Outputs: 180, Mappings: 180 } as const;
const mostBytes = 800_000;

const stages = stageNames.map((stage) => ({ stage, settings: 'default settings', files: templateFiles(stage) }));
const consoles = [
  { stage: 'dev', settings: 'a console', files: templateFiles('dev', withConsole) },
  { stage: 'prod', settings: 'every setting', files: templateFiles('prod', everySettingWithConsole) },
];

describe.each([...stages, ...consoles])('the stacks of $stage with $settings', ({ stage, files }) => {
  test('are the parent and one nested stack for each area', () => {
    expect(files.map(({ name }) => name)).toEqual(
      ['', '/ApiTranscriptions', '/ApiInsights', '/ApiEvents', '/ApiWebhooks', '/ApiDescription', '/Workers'].map(
        (area) => `Roomscribe-${stage}${area}`,
      ),
    );
  });

  test.each(files)('$name leaves room to grow', ({ file }) => {
    const bytes = Buffer.byteLength(file);
    expect(bytes, `${bytes} bytes of ${mostBytes}`).toBeLessThanOrEqual(mostBytes);
    const template = parsed(file);
    for (const [section, limit] of Object.entries(most)) {
      const count = Object.keys(template[section as keyof typeof most]).length;
      expect(count, `${count} ${section} of ${limit}`).toBeLessThanOrEqual(limit);
    }
  });

  test('hold all data in the parent, so that moving a function never replaces data', () => {
    const holding =
      /^AWS::(DynamoDB::Table|S3::Bucket|SQS::Queue|Cognito::UserPool|ApiGatewayV2::Api|ApiGatewayV2::Route)$/;
    const [parent, ...nested] = files.map(
      ({ file }) => Object.values(parsed(file).Resources).filter(({ Type }) => holding.test(Type)).length,
    );
    expect(parent).toBeGreaterThan(20);
    expect(new Set(nested)).toEqual(new Set([0]));
  });

  test('have no circular dependencies', () => {
    for (const { file } of files) expect(() => Template.fromJSON(JSON.parse(file))).not.toThrow();
  });
});

test.each([...stages, ...consoles.slice(0, 1)])('the templates of $stage with $settings are valid', ({ files }) => {
  for (const { file } of files) expect(findings(parsed(file))).toEqual([]);
});

/** A template of only one resource, of this type and as the first stage has it, with a change. */
function planted(type: string, change: (properties: Record<string, unknown>) => void): TemplateSections {
  const resources = stages[0]?.files.flatMap(({ file }) => Object.entries(parsed(file).Resources)) ?? [];
  const [id, resource] = resources.find(([, { Type }]) => Type === type) ?? [];
  if (id === undefined || !resource) throw new Error(`There is no ${type}.`);
  change(resource.Properties);
  return TemplateSections.parse({ Resources: { [id]: resource } });
}

/** The validator takes seconds for a whole template. What it knows about a resource does not depend on the others. */
test.each<[fault: string, type: string, change: (properties: Record<string, unknown>) => void, named: string]>([
  ['a misspelt property', 'AWS::SQS::Queue', (queue) => Object.assign(queue, { RedrivePolizy: {} }), 'RedrivePolizy'],
  ['an unknown value', 'AWS::DynamoDB::Table', (table) => Object.assign(table, { BillingMode: 'FREE' }), 'BillingMode'],
  ['a missing property', 'AWS::Lambda::Function', (lambda) => Reflect.deleteProperty(lambda, 'Code'), 'Code'],
  ['a value of a wrong type', 'AWS::Lambda::Function', (lambda) => Object.assign(lambda, { Timeout: {} }), 'Timeout'],
  ['a number too high', 'AWS::Lambda::Function', (lambda) => Object.assign(lambda, { Timeout: 901 }), 'Timeout'],
  [
    'a reference to nothing',
    'AWS::Lambda::EventSourceMapping',
    (mapping) => Object.assign(mapping, { FunctionName: { Ref: 'Nobody' } }),
    'Nobody',
  ],
])('a template is invalid with %s', (_fault, type, change, named) => {
  expect(findings(planted(type, () => {}))).not.toContainEqual(expect.stringContaining(named));
  expect(findings(planted(type, change))).toContainEqual(expect.stringContaining(named));
});

test('synthesis fails for an invalid template, as configured in cdk.json', () => {
  const { context } = z
    .object({ context: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync('cdk.json', 'utf8')));
  const synthesize = (visibilityTimeout: number) => {
    const app = new App({ context, outdir: mkdtempSync(path.join(folder, 'faulty-')) });
    new CfnQueue(new Stack(app, 'Stack'), 'Queue', { visibilityTimeout });
    return app.synth();
  };
  expect(() => synthesize(43_201)).toThrow('VisibilityTimeout');
  expect(() => synthesize(43_200)).not.toThrow();
});
