import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NormalizedSchema } from '@smithy/core/schema';
import { assertWaiter, operationOf, optionsOf, requiredMembers } from './models.ts';

/** A valid command line of the AWS CLI. */
export type AwsCommand = {
  readonly service: string;
  readonly operation: string;
  /** The input of the operation, with the field names of AWS. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Options of the CLI itself, such as `query`. */
  readonly own: ReadonlyMap<string, string>;
  /** The name of the waiter, or the source and the target of a copied file. */
  readonly positionals: readonly string[];
};

const ownOptions = ['query', 'output', 'region', 'endpoint-url', 'max-items'];
/** The file commands of the CLI, with the options that the documents use. No option has a value. */
const fileCommands: Readonly<Record<string, readonly string[]>> = { cp: [], rm: ['quiet', 'recursive'] };

type Options = ReadonlyMap<string, readonly string[]>;

/** Parses the arguments of one `aws` call. Throws for an operation, a parameter or a field that AWS does not have. */
export async function readAwsCommand(args: readonly string[], folder: string): Promise<AwsCommand> {
  if (args[0] === '--endpoint-url') return readAwsCommand([...args.slice(2), ...args.slice(0, 2)], folder);
  const [service = '', operation = '', ...rest] = args;
  if (service === 's3') return { service, operation, ...readFileCommand(operation, rest) };
  const { positionals, options } = split(rest);
  const own = new Map(
    [...options].filter(([name]) => ownOptions.includes(name)).map(([name, [value]]) => [name, value ?? '']),
  );
  const given = new Map([...options].filter(([name]) => !own.has(name)));
  if (operation !== 'wait' && positionals.length > 0) throw new Error(`unexpected arguments: ${positionals.join(' ')}`);
  if (operation === 'wait') await assertWaiter(service, String(positionals[0]));
  // The documents wait only for tables, and the waiters poll this operation.
  const { input } = await operationOf(service, operation === 'wait' ? 'describe-table' : operation);
  return { service, operation, positionals, own, input: inputOf(input, given, folder) };
}

function readFileCommand(command: string, args: readonly string[]): Pick<AwsCommand, 'input' | 'own' | 'positionals'> {
  const last = args.indexOf('--endpoint-url');
  const words = last < 0 ? args : args.slice(0, last);
  const allowed = fileCommands[command];
  const flags = words.filter((word) => word.startsWith('--')).map((flag) => flag.slice(2));
  const wrong = flags.find((flag) => !allowed?.includes(flag));
  if (!allowed || wrong !== undefined) throw new Error(`unknown command: s3 ${command} ${wrong ? `--${wrong}` : ''}`);
  return { input: {}, own: new Map(), positionals: words.filter((word) => !word.startsWith('--')) };
}

function split(args: readonly string[]) {
  const positionals: string[] = [];
  const options = new Map<string, string[]>();
  let values = positionals;
  for (const arg of args) {
    if (arg.startsWith('--')) {
      values = [];
      options.set(arg.slice(2), values);
    } else values.push(arg);
  }
  return { positionals, options };
}

function inputOf(schema: NormalizedSchema, given: Options, folder: string): Record<string, unknown> {
  const options = optionsOf(schema);
  const input: Record<string, unknown> = {};
  for (const [name, values] of given) {
    const option = options.get(name) ?? options.get(name.replace(/^no-/, ''));
    if (!option) throw new Error(`unknown option: --${name}`);
    const isFlag = option.schema.isBooleanSchema();
    if (isFlag && values.length > 0) throw new Error(`--${name} takes no value`);
    input[option.member] = isFlag ? options.has(name) : toValue(option.schema, values.map(contentIn(folder)));
  }
  const missing = requiredMembers(schema).filter((member) => !(member in input));
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} is required`);
  return input;
}

const contentIn = (folder: string) => (value: string) =>
  value.startsWith('file://') ? readFileSync(path.resolve(folder, value.slice('file://'.length)), 'utf8') : value;

function toValue(schema: NormalizedSchema, values: readonly string[]): unknown {
  const [value = '', ...more] = values;
  if (/^\s*(\[|\{\s*")/.test(value)) {
    const json: unknown = JSON.parse(value); // a string that contains JSON, such as a policy, must be valid too
    return schema.isStringSchema() ? value : checked(schema, json);
  }
  if (schema.isListSchema()) return values.map((each) => fromShorthand(schema.getValueSchema(), each));
  if (value === '' || more.length > 0) throw new Error(`expected one value, got "${values.join(' ')}"`);
  return fromShorthand(schema, value);
}

/** Parses a plain value, or fields such as `Name=TableName,Value=rooms`. */
function fromShorthand(schema: NormalizedSchema, value: string): unknown {
  if (!schema.isStructSchema() && !schema.isMapSchema()) return checked(schema, value);
  const fields = value.split(',').map((pair) => {
    const [, name, content] = /^(\w+)=(.+)$/.exec(pair) ?? [];
    if (name === undefined) throw new Error(`"${value}" is not a list of fields`);
    return [name, content === '{}' ? {} : content];
  });
  return checked(schema, Object.fromEntries(fields));
}

/** Converts a value to the types of its schema. Throws for a field that the schema does not have. */
function checked(schema: NormalizedSchema, value: unknown): unknown {
  if (schema.isListSchema() && Array.isArray(value)) return value.map((each) => checked(schema.getValueSchema(), each));
  if (schema.isNumericSchema()) return finite(value);
  if (schema.isTimestampSchema())
    return new Date(typeof value === 'string' && Number.isNaN(Number(value)) ? value : Number(finite(value)));
  if (schema.isBooleanSchema()) return String(value) === 'true';
  if (typeof value !== 'object' || value === null || schema.isStringSchema()) return value;
  const members = schema.isStructSchema() ? new Map(schema.structIterator()) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const of = members ? members.get(name) : schema.getValueSchema();
      if (!of) throw new Error(`unknown field: "${name}"`);
      return [name, checked(of, inner)];
    }),
  );
}

function finite(value: unknown): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Error(`"${value}" is not a number`);
  return number;
}
