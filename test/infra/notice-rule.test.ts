import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, test } from 'vitest';
import { noticeTypes } from '#shared/contracts/notices/notice-types.ts';
import { findings, TemplateSections } from '../support/infra/template-findings.ts';
import { at, listOf } from '../support/infra/templates.ts';

/** A template of examples/notice-rule as JSON. CDK reads the short forms of functions in YAML. */
function example(name: string): TemplateSections {
  const outdir = mkdtempSync(path.join(tmpdir(), 'roomscribe-example-'));
  try {
    const app = new App({ outdir, builtinCloudFormationValidation: false });
    const stack = new Stack(app, 'Example');
    new CfnInclude(stack, 'Template', { templateFile: `examples/notice-rule/${name}` });
    const { stacks } = app.synth();
    return TemplateSections.parse(stacks[0]?.template);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

const names = ['queue.yaml', 'receive.yaml', 'forward.yaml'];
const propertiesOf = (template: TemplateSections, id: string) => template.Resources[id]?.Properties;

describe('the templates in examples/notice-rule', () => {
  test.each(names)('%s is valid', (name) => {
    expect(findings(example(name))).toEqual([]);
  });

  test('are found to be invalid with a misspelt property', () => {
    const template = example('queue.yaml');
    Object.assign(template.Resources.Rule?.Properties ?? {}, { EventBuzzName: 'x' });
    expect(findings(template)).toContainEqual(expect.stringContaining('EventBuzzName'));
  });

  test('have rules on the named bus, for the source that the service names', () => {
    for (const name of ['queue.yaml', 'forward.yaml']) {
      const rule = propertiesOf(example(name), 'Rule');
      expect(rule?.EventBusName).toEqual({ Ref: 'EventBusName' });
      expect(at(rule?.EventPattern, 'source')).toEqual(['roomscribe']);
    }
    expect(at(propertiesOf(example('receive.yaml'), 'BusPolicy'), 'Statement', 'Condition')).toEqual({
      StringEquals: { 'events:source': 'roomscribe' },
    });
  });

  test('select types of notices that exist, and name the bus of a stage by default', () => {
    const { Parameters } = example('queue.yaml');
    expect(noticeTypes).toContain(at(Parameters.NoticeTypes, 'Default'));
    for (const name of ['queue.yaml', 'forward.yaml'])
      expect(at(example(name).Parameters.EventBusName, 'Default')).toBe('Roomscribe-prod-notices');
    const page = readFileSync('examples/notice-rule/README.md', 'utf8');
    const [, types = ''] = /NoticeTypes=(\S+)/.exec(page) ?? [];
    for (const type of types.split(',')) expect(noticeTypes).toContain(type);
  });

  test('let queues take events of their own rule only, and give a role one action on one bus', () => {
    for (const name of ['queue.yaml', 'forward.yaml']) {
      const [statement, ...more] = listOf(
        at(propertiesOf(example(name), 'QueuePolicy'), 'PolicyDocument', 'Statement'),
      );
      expect(more).toEqual([]);
      expect(at(statement, 'Condition')).toEqual({ ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': 'Rule.Arn' } } });
    }
    const [policy] = listOf(propertiesOf(example('forward.yaml'), 'ForwardingRole')?.Policies);
    expect(listOf(at(policy, 'PolicyDocument', 'Statement'))).toEqual([
      { Effect: 'Allow', Action: 'events:PutEvents', Resource: { Ref: 'ReceivingBusArn' } },
    ]);
  });
});
