import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFlatTemplate } from '#tools/local/template/flatten.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-flatten-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Templates = Readonly<Record<string, object>>;

/** Writes each template to a file under its name, and reads `root` with its nested stacks as one template. */
function flatten(templates: Templates) {
  for (const [name, template] of Object.entries(templates))
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(template));
  return readFlatTemplate(folder, 'root.json');
}

const nested = (name: string, Parameters?: object) => ({
  Type: 'AWS::CloudFormation::Stack',
  Properties: { TemplateURL: 'anywhere', ...(Parameters && { Parameters }) },
  Metadata: { 'aws:asset:path': `${name}.json` },
});
const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });

describe('readFlatTemplate', () => {
  it('returns a template without nested stacks unchanged', () => {
    const root = {
      Resources: { Work: queue({ Name: { 'Fn::Sub': `a-\${AWS::Region}` } }) },
      Outputs: { Url: { Value: { Ref: 'Work' } } },
      Parameters: { Version: { Type: 'String', Default: '1' } },
    };
    expect(flatten({ root })).toEqual(root);
  });

  it('gives the resources of each nested stack unique IDs and drops the stack resource', () => {
    const area = { Resources: { Work: queue({ Dead: { 'Fn::GetAtt': ['Dead', 'Arn'] } }), Dead: queue() } };
    const { Resources } = flatten({ root: { Resources: { One: nested('area'), Two: nested('area') } }, area });
    expect(Object.keys(Resources)).toEqual(['One-Work', 'One-Dead', 'Two-Work', 'Two-Dead']);
    expect(Resources['Two-Work']).toEqual(queue({ Dead: { 'Fn::GetAtt': ['Two-Dead', 'Arn'] } }));
  });

  it('resolves parameters and outputs through any depth of nested stacks', () => {
    const root = {
      Resources: {
        Table: queue(),
        Made: nested('maker'),
        Used: nested('user', { Given: { 'Fn::GetAtt': ['Made', 'Outputs.Arn'] }, Table: { Ref: 'Table' } }),
      },
      Outputs: { Inner: { Value: { 'Fn::GetAtt': ['Used', 'Outputs.Inner'] } } },
    };
    const maker = { Resources: { Work: queue() }, Outputs: { Arn: { Value: { 'Fn::GetAtt': 'Work.Arn' } } } };
    const user = {
      Parameters: { Given: {}, Table: {} },
      Resources: { Inner: nested('inner', { Passed: { Ref: 'Given' } }), Mine: queue({ Table: { Ref: 'Table' } }) },
      Outputs: { Inner: { Value: { 'Fn::GetAtt': ['Inner', 'Outputs.Passed'] } } },
    };
    const inner = {
      Parameters: { Passed: {} },
      Resources: { Deep: queue({ Source: { Ref: 'Passed' } }) },
      Outputs: { Passed: { Value: { 'Fn::Join': ['', [{ Ref: 'Passed' }, '!']] } } },
    };
    const { Resources, Outputs } = flatten({ root, maker, user, inner });
    const arn = { 'Fn::GetAtt': ['Made-Work', 'Arn'] };
    expect(Resources['Used-Inner-Deep']).toEqual(queue({ Source: arn }));
    expect(Resources['Used-Mine']).toEqual(queue({ Table: { Ref: 'Table' } }));
    expect(Outputs).toEqual({ Inner: { Value: { 'Fn::Join': ['', [arn, '!']] } } });
  });

  it('resolves names in Fn::Sub, uses parameter defaults, and renames dependencies', () => {
    const pattern = `\${AWS::Region}-\${Given}-\${Dead.Arn}-\${!No}`;
    const area = {
      Parameters: { Given: {}, Usual: { Default: 'usual' } },
      Resources: {
        Work: { ...queue({ Name: { 'Fn::Sub': pattern } }), DependsOn: 'Dead' },
        Dead: { ...queue({ Name: { Ref: 'Usual' } }), DependsOn: ['Work'] },
      },
    };
    const { Resources } = flatten({
      root: { Resources: { Area: nested('area', { Given: { Ref: 'AWS::Region' } }) } },
      area,
    });
    const variables = { Given: { Ref: 'AWS::Region' }, 'Dead.Arn': { 'Fn::GetAtt': ['Area-Dead', 'Arn'] } };
    expect(Resources).toEqual({
      'Area-Work': { ...queue({ Name: { 'Fn::Sub': [pattern, variables] } }), DependsOn: ['Area-Dead'] },
      'Area-Dead': { ...queue({ Name: 'usual' }), DependsOn: ['Area-Work'] },
    });
  });

  it.each<[string, Templates, RegExp]>([
    [
      'a pseudo parameter that differs in a nested stack',
      {
        root: { Resources: { Area: nested('area') } },
        area: { Resources: { Work: queue({ Name: { Ref: 'AWS::StackName' } }) } },
      },
      /nested stack Area uses AWS::StackName/,
    ],
    [
      'a parameter without a value',
      {
        root: { Resources: { Area: nested('area') } },
        area: { Parameters: { Given: {} }, Resources: { Work: queue({ Name: { Ref: 'Given' } }) } },
      },
      /nested stack Area gets no value for Given/,
    ],
    [
      'an output that does not exist',
      {
        root: {
          Resources: { Area: nested('area'), Work: queue({ Name: { 'Fn::GetAtt': ['Area', 'Outputs.None'] } }) },
        },
        area: { Resources: {} },
      },
      /nested stack Area has no Outputs.None/,
    ],
  ])('rejects %s', (_, templates, message) => {
    expect(() => flatten(templates)).toThrow(message);
  });
});
