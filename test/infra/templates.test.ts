import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CloudFormationValidatePlugin, Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { stageNames } from '#infra/stages.ts';
import { withStack } from '../support/templates.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const Section = z.record(z.string(), z.unknown()).default({});
const TemplateSections = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: Section })),
  Parameters: Section,
  Outputs: Section,
  Mappings: Section,
});
type Sections = z.infer<typeof TemplateSections>;

const validator = new CloudFormationValidatePlugin();

/** What CDK's validator has against a template, warnings included. */
function findings(template: Sections): string[] {
  const templatePath = path.join(folder, 'template.json');
  writeFileSync(templatePath, JSON.stringify(template));
  const { violations } = validator.validate({
    appConstruct: new App(),
    templatePaths: [templatePath],
    stackTemplates: [{ stackConstructPath: 'Stack', templatePath, accountId: undefined, region: undefined }],
  });
  return violations.map(
    ({ severity, description, violatingResources }) =>
      `${severity}: ${violatingResources.map(({ resourceLogicalId }) => resourceLogicalId).join(', ')}: ${description}`,
  );
}

/** The template as CDK writes it into a file, which is what CloudFormation gets. */
function templateFile(stage: string): string {
  return withStack(stage, {}, (stack) =>
    readFileSync((stack.node.root as App).synth().getStackArtifact(stack.artifactId).templateFullPath, 'utf8'),
  );
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const mostBytes = 1_000_000;
const most = { Resources: 500, Parameters: 200, Outputs: 200, Mappings: 200 } as const;

/** Of each limit a tenth is kept free, so that the last change is not the one that finds no room. */
const room = 0.9;

describe.each(stageNames)('the template of %s', (stage) => {
  const file = templateFile(stage);
  const template = TemplateSections.parse(JSON.parse(file));

  test('is within the limits of CloudFormation, with room to grow', () => {
    const bytes = Buffer.byteLength(file);
    expect(bytes, `${bytes} bytes of ${mostBytes}`).toBeLessThan(mostBytes * room);
    for (const [section, limit] of Object.entries(most)) {
      const count = Object.keys(template[section as keyof typeof most]).length;
      expect(count, `${count} ${section} of ${limit}`).toBeLessThan(limit * room);
    }
  });

  test('is valid', () => {
    expect(findings(template)).toEqual([]);
  });

  /** The template with one resource of a type changed. */
  function planted(type: string, change: (properties: Record<string, unknown>) => void): Sections {
    const copy = structuredClone(template);
    const resource = Object.values(copy.Resources).find(({ Type }) => Type === type);
    if (!resource) throw new Error(`There is no ${type}.`);
    change(resource.Properties);
    return copy;
  }

  test.each<[fault: string, type: string, change: (properties: Record<string, unknown>) => void, named: string]>([
    ['a misspelt property', 'AWS::SQS::Queue', (queue) => Object.assign(queue, { RedrivePolizy: {} }), 'RedrivePolizy'],
    [
      'an unknown value',
      'AWS::DynamoDB::Table',
      (table) => Object.assign(table, { BillingMode: 'FREE' }),
      'BillingMode',
    ],
    ['a missing property', 'AWS::Lambda::Function', (lambda) => Reflect.deleteProperty(lambda, 'Code'), 'Code'],
    ['a value of a wrong type', 'AWS::Lambda::Function', (lambda) => Object.assign(lambda, { Timeout: {} }), 'Timeout'],
    ['a number too high', 'AWS::Lambda::Function', (lambda) => Object.assign(lambda, { Timeout: 901 }), 'Timeout'],
    [
      'a reference to nothing',
      'AWS::Lambda::EventSourceMapping',
      (mapping) => Object.assign(mapping, { FunctionName: { Ref: 'Nobody' } }),
      'Nobody',
    ],
  ])('would not be with %s', (_fault, type, change, named) => {
    expect(findings(planted(type, change))).toContainEqual(expect.stringContaining(named));
  });
});

test('a template with a fault fails its synthesis, as cdk.json says', () => {
  const { context } = z.object({ context: Section }).parse(JSON.parse(readFileSync('cdk.json', 'utf8')));
  const synthesize = (visibilityTimeout: number) => {
    const app = new App({ context, outdir: mkdtempSync(path.join(folder, 'faulty-')) });
    new CfnQueue(new Stack(app, 'Stack'), 'Queue', { visibilityTimeout });
    return app.synth();
  };
  expect(() => synthesize(43_201)).toThrow('VisibilityTimeout');
  expect(() => synthesize(43_200)).not.toThrow();
});
