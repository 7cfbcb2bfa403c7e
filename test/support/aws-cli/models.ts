import { NormalizedSchema } from '@smithy/core/schema';

/** The services that the documents use, by their names in the AWS CLI. */
const services = {
  cloudformation: () => import('@aws-sdk/client-cloudformation'),
  cloudwatch: () => import('@aws-sdk/client-cloudwatch'),
  'cognito-idp': () => import('@aws-sdk/client-cognito-identity-provider'),
  secretsmanager: () => import('@aws-sdk/client-secrets-manager'),
  deploy: () => import('@aws-sdk/client-codedeploy'),
  dynamodb: () => import('@aws-sdk/client-dynamodb'),
  events: () => import('@aws-sdk/client-eventbridge'),
  iam: () => import('@aws-sdk/client-iam'),
  lambda: () => import('@aws-sdk/client-lambda'),
  logs: () => import('@aws-sdk/client-cloudwatch-logs'),
  s3api: () => import('@aws-sdk/client-s3'),
  'service-quotas': () => import('@aws-sdk/client-service-quotas'),
  sqs: () => import('@aws-sdk/client-sqs'),
  sts: () => import('@aws-sdk/client-sts'),
  transcribe: () => import('@aws-sdk/client-transcribe'),
} as const satisfies Record<string, () => Promise<object>>;

/** An operation of AWS: its input and output in the model of the SDK client. */
export type Operation = { readonly input: NormalizedSchema; readonly output: NormalizedSchema };

/** A command class of the SDK with its operation. */
type CommandClass = new (
  input: unknown,
) => { readonly schema: readonly [...head: [number, string, string, unknown], input: Schema, output: Schema] };
type Schema = Parameters<typeof NormalizedSchema.of>[0];

async function moduleOf(service: string): Promise<object> {
  const load = Object.entries(services).find(([name]) => name === service)?.[1];
  if (!load) throw new Error(`unknown service: "${service}"`);
  return load();
}

/** Finds an operation by its names in the AWS CLI. Throws if AWS does not have it. */
export async function operationOf(service: string, operation: string): Promise<Operation> {
  const found: unknown = Reflect.get(await moduleOf(service), `${pascal(operation)}Command`);
  if (typeof found !== 'function') throw new Error(`${service} has no operation "${operation}"`);
  const { schema } = new (found as CommandClass)({});
  return { input: NormalizedSchema.of(schema[4]), output: NormalizedSchema.of(schema[5]) };
}

/** Throws if the service has no waiter of this name. */
export async function assertWaiter(service: string, waiter: string): Promise<void> {
  const isThere = `waitUntil${pascal(waiter)}` in (await moduleOf(service));
  if (!isThere) throw new Error(`${service} has no waiter "${waiter}"`);
}

/** The members of a structure by the names of their options in the AWS CLI. */
export function optionsOf(
  structure: NormalizedSchema,
): ReadonlyMap<string, { readonly member: string; readonly schema: NormalizedSchema }> {
  return new Map([...structure.structIterator()].map(([member, schema]) => [kebab(member), { member, schema }]));
}

/** The required members of a structure. In the model they come first, with their number. */
export function requiredMembers(structure: NormalizedSchema): string[] {
  const model: unknown = structure.getSchema();
  const count = Array.isArray(model) ? Number(model[6] ?? 0) : 0;
  return [...structure.structIterator()].slice(0, count).map(([member]) => member);
}

/** The maximum depth of a sample. No query goes deeper. */
const deepest = 5;

/** A valid sample of a schema. Lists and maps have one element. */
export function sampleOf(schema: NormalizedSchema, name = 'value', depth = 0): unknown {
  if (depth > deepest) return null;
  const inner = (of: NormalizedSchema, innerName: string) => sampleOf(of, innerName, depth + 1);
  if (schema.isListSchema()) return [inner(schema.getValueSchema(), name)];
  if (schema.isMapSchema()) return { [name]: inner(schema.getValueSchema(), name) };
  if (schema.isStructSchema())
    return Object.fromEntries([...schema.structIterator()].map(([member, of]) => [member, inner(of, member)]));
  if (schema.isBooleanSchema()) return true;
  if (schema.isNumericSchema()) return 1;
  return schema.isTimestampSchema() ? '2026-03-02T09:00:00+00:00' : name;
}

const pascal = (name: string) => name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const kebab = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
