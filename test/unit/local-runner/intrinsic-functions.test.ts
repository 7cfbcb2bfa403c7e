import { describe, expect, it } from 'vitest';
import { resolveIntrinsics } from '#tools/local/template/intrinsic-functions.ts';

const lookup = {
  ref: (id: string) => ({ 'AWS::Region': 'us-east-1', Table: 'the-table' })[id],
  attribute: (id: string, attribute: string) => (id === 'Queue' && attribute === 'Arn' ? 'arn:queue' : undefined),
};
const resolve = (value: unknown) => resolveIntrinsics(value, lookup);

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are of CloudFormation, not of JavaScript
describe('the local runner', () => {
  it.each([
    ['Ref', { Ref: 'Table' }, 'the-table'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:queue'],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Queue.Arn' }, 'arn:queue'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }]] }, 'a-the-table'],
    ['Fn::Sub', { 'Fn::Sub': '${AWS::Region}/${Queue.Arn}/${!Table}' }, 'us-east-1/arn:queue/${Table}'],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${Own}', { Own: { Ref: 'Table' } }] }, 'the-table'],
    ['Fn::Select of Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, 'table'],
  ])('resolves %s', (_, value, resolved) => {
    expect(resolve(value)).toBe(resolved);
  });

  it('resolves intrinsic functions at any depth and drops values that are undefined', () => {
    const value = { list: [{ Ref: 'Table' }, { Ref: 'AWS::NoValue' }], left: { Ref: 'AWS::NoValue' }, number: 1 };

    expect(resolve(value)).toEqual({ list: ['the-table'], number: 1 });
  });

  it.each([
    ['a function it does not know', { 'Fn::ImportValue': 'x' }, /Fn::ImportValue/],
    ['a reference to nothing', { Ref: 'Missing' }, /"Missing"/],
    ['an attribute without a local value', { 'Fn::GetAtt': ['Queue', 'Color'] }, /"Color" of "Queue"/],
  ])('rejects %s and names it', (_, value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: until here
