import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** A template as CDK writes it. Only the parts that tie nested stacks together have a known shape. */
type Template = z.infer<typeof Template>;
const Template = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string() })),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
  Parameters: z.record(z.string(), z.looseObject({ Default: z.string().optional() })).default({}),
});

const NestedStack = z.object({
  Properties: z.object({ Parameters: z.record(z.string(), z.unknown()).default({}) }),
  Metadata: z.object({ 'aws:asset:path': z.string() }),
});

/** One stack of the assembly, with the values that its parent passes to its parameters. */
type StackNode = {
  readonly template: Template;
  /** Logical id of the stack in its parent, followed by a hyphen. Empty for the root. */
  readonly prefix: string;
  readonly parameter: (name: string) => unknown;
  readonly nested: ReadonlyMap<string, StackNode>;
};

/**
 * Reads a synthesized template and its nested stacks as one template. A resource of a nested stack gets the id
 * `<nested stack>-<logical id>`. References to parameters and outputs of nested stacks become direct references.
 */
export function readFlatTemplate(folder: string, file: string): Template {
  const root = readStackNode(folder, file, '', () => undefined);
  return {
    ...root.template,
    Resources: Object.fromEntries(resourcesOf(root)),
    Outputs: Object.fromEntries(
      Object.entries(root.template.Outputs).map(([name, output]) => [
        name,
        { ...output, Value: inlined(output.Value, root) },
      ]),
    ),
  };
}

function readStackNode(folder: string, file: string, prefix: string, parameter: StackNode['parameter']): StackNode {
  const template = Template.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
  const nested = new Map<string, StackNode>();
  const node = { template, prefix, parameter, nested };
  for (const [id, resource] of Object.entries(template.Resources)) {
    if (resource.Type !== nestedStackType) continue;
    const { Properties, Metadata } = NestedStack.parse(resource);
    const value = (name: string) => inlined(Properties.Parameters[name], node);
    nested.set(id, readStackNode(folder, Metadata['aws:asset:path'], `${prefix}${id}-`, value));
  }
  return node;
}

const nestedStackType = 'AWS::CloudFormation::Stack';

function resourcesOf(node: StackNode): [string, Template['Resources'][string]][] {
  return Object.entries(node.template.Resources).flatMap(([id, { DependsOn, ...resource }]) => {
    const nested = node.nested.get(id);
    if (nested) return resourcesOf(nested);
    const dependencies = [DependsOn ?? []].flat().map((each) => `${node.prefix}${each}`);
    const { Type, ...rest } = resource;
    const entry = { Type, ...Object(inlined(rest, node)), ...(dependencies.length > 0 && { DependsOn: dependencies }) };
    return [[`${node.prefix}${id}`, entry]];
  });
}

/** Converts a value in the template of one stack to its form in the flat template. */
function inlined(value: unknown, node: StackNode): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, node));
  if (typeof value !== 'object' || value === null) return value;
  const [[key, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (key === 'Ref') return inlinedReference(String(argument), node);
    if (key === 'Fn::GetAtt') return inlinedAttribute(argument, node);
    if (key === 'Fn::Sub') return inlinedSubstitution(argument, node);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inlined(item, node)]));
}

/** Pseudo parameters whose value differs between a nested stack and its parent. */
const ofOneStack = ['AWS::StackId', 'AWS::StackName', 'AWS::NotificationARNs'];

function inlinedReference(id: string, { prefix, template, parameter }: StackNode): unknown {
  if (prefix === '') return { Ref: id };
  if (ofOneStack.includes(id)) throw new Error(`The nested stack ${prefix.slice(0, -1)} uses ${id}.`);
  if (id.startsWith('AWS::')) return { Ref: id };
  const declared = template.Parameters[id];
  if (!declared) return { Ref: `${prefix}${id}` };
  const value = parameter(id) ?? declared.Default;
  if (value === undefined) throw new Error(`The nested stack ${prefix.slice(0, -1)} gets no value for ${id}.`);
  return value;
}

function inlinedAttribute(argument: unknown, { prefix, nested }: StackNode): unknown {
  const [id = '', ...attribute] =
    typeof argument === 'string' ? argument.split('.') : z.array(z.string()).parse(argument);
  const stack = nested.get(id);
  if (!stack) return { 'Fn::GetAtt': [`${prefix}${id}`, ...attribute] };
  const output = stack.template.Outputs[attribute.join('.').replace(/^Outputs\./, '')];
  if (!output) throw new Error(`The nested stack ${id} has no ${attribute.join('.')}.`);
  return inlined(output.Value, stack);
}

/** A name in a pattern cannot become an expression, so each one that is not a pseudo parameter becomes a variable. */
function inlinedSubstitution(argument: unknown, node: StackNode): unknown {
  const [pattern, variables] = z
    .union([
      z.string().transform((text) => [text, {}] as const),
      z.tuple([z.string(), z.record(z.string(), z.unknown())]),
    ])
    .parse(argument);
  const own: Record<string, unknown> = Object(inlined(variables, node));
  for (const [, name = ''] of pattern.matchAll(/\$\{([^!}]+)\}/g)) {
    if (name in own || (name.startsWith('AWS::') && !ofOneStack.includes(name))) continue;
    own[name] = name.includes('.') ? inlinedAttribute(name, node) : inlinedReference(name, node);
  }
  return { 'Fn::Sub': Object.keys(own).length === 0 ? pattern : [pattern, own] };
}
