import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The checked parts of an answer. Header names are in lower case. */
export type DescribedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
};

type Schema = Record<string, unknown>;
type Response = {
  readonly $ref?: string;
  readonly headers?: Readonly<
    Record<string, { readonly $ref?: string; readonly required?: boolean; readonly schema?: Schema }>
  >;
  readonly content?: Readonly<Record<string, unknown>>;
};
/** A parameter of an operation in the description. */
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};
/** An operation of the description. */
export type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  /** Overrides the access token that other operations need. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
};
type Description = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** The committed description of the API. */
export const description = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Description;

const id = 'openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(inUtc(closed(description)) as Schema, id);

/** Every operation, with its method in upper case and its path. */
export const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** The operation of a request. */
export function operationOf(method: string, path: string) {
  return operations.find((each) => each.method === method && matches(each.path, path));
}

/** Throws unless the description contains the answer for that request, with each header and field. */
export function assertDescribed(method: string, path: string, answer: DescribedAnswer): void {
  const what = `${method} ${path.slice(0, 200)} was answered with ${answer.status} ${answer.text.slice(0, 500)}`;
  const found = operationOf(method, path);
  if (!found) {
    assertUnknownRoute(method, what, answer);
    return;
  }
  const { operation, path: template } = found;
  const place = `#/paths/${escaped(template)}/${method.toLowerCase()}/responses/${answer.status}`;
  const response = operation.responses[answer.status];
  if (!response) throw new Error(`${what}: ${operation.operationId} does not describe the status ${answer.status}.`);
  assertHeaders(what, resolved(response, place), answer);
  if (method !== 'HEAD') assertBody(what, resolved(response, place), answer); // an answer to HEAD has no body
}

const compiled = new WeakMap<Schema, ReturnType<typeof ajv.compile>>();

/** Why a value does not match a schema of the description, or undefined if it does. */
export function misfit(schema: Schema, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(closedRefs(schema));
  compiled.set(schema, validate);
  return validate(value) ? undefined : problems(validate.errors);
}

function assertUnknownRoute(method: string, what: string, { status, text }: DescribedAnswer): void {
  const isGateways =
    method === 'HEAD' || // answers to HEAD have no body
    validatorAt('#/components/schemas/GatewayError')(parsed(text));
  if (![400, 404, 413, 431].includes(status) || !isGateways)
    throw new Error(`${what}: the description has no such operation.`);
}

type Resolved = { readonly response: Response; readonly place: string };

function resolved(response: Response, place: string): Resolved {
  return response.$ref ? { response: at(response.$ref) as Response, place: response.$ref } : { response, place };
}

function assertHeaders(what: string, { response }: Resolved, { headers }: DescribedAnswer): void {
  for (const [name, described] of Object.entries(response.headers ?? {})) {
    const { required, schema = {} } = described.$ref ? (at(described.$ref) as typeof described) : described;
    const value = headers[name.toLowerCase()];
    if (value === undefined && !required) continue;
    const typed = ['integer', 'number'].includes(String(schema.type)) && value !== undefined ? Number(value) : value;
    const problem = misfit(schema, typed);
    if (problem !== undefined) throw new Error(`${what}: header ${name} (${String(value)}) ${problem}`);
  }
}

function assertBody(what: string, { response, place }: Resolved, { headers, text }: DescribedAnswer): void {
  if (!response.content) {
    if (text !== '') throw new Error(`${what}: the description has no body.`);
    return;
  }
  const [mediaType = ''] = String(headers['content-type']).split(';');
  if (!(mediaType in response.content)) throw new Error(`${what}: the description does not contain ${mediaType}.`);
  const validate = validatorAt(`${place}/content/${escaped(mediaType)}/schema`);
  if (!validate(mediaType === 'application/json' ? parsed(text) : text))
    throw new Error(`${what}: ${problems(validate.errors)}`);
}

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/** The validator of a place in the description. Ajv itself compiles `{ $ref }` again for every answer. */
function validatorAt(place: string): ReturnType<typeof ajv.compile> {
  const validate = validators.get(place) ?? ajv.compile({ $ref: `${id}${place}` });
  validators.set(place, validate);
  return validate;
}

function matches(template: string, path: string): boolean {
  const pattern = template
    .replaceAll(/[.]/g, '\\.')
    .replaceAll('{proxy}', '.+') // one or more segments, which a description cannot say
    .replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '');
}

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const problems = (errors: readonly ErrorObject[] | null | undefined) => ajv.errorsText([...(errors ?? [])]);

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

function at(reference: string): unknown {
  const parts = reference.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>(
    (value, part) => (value as Schema)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
    description,
  );
}

/** The description with every object closed, so that an answer with an unknown field does not match. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  const isObjectSchema = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isObjectSchema ? { ...copy, additionalProperties: false } : copy;
}

/** A schema of answers with the format of all their times. The description says in words only that they are UTC with milliseconds. */
function inUtc(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUtc);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inUtc(each)]));
  return copy.format === 'date-time' ? { ...copy, pattern: '^[^.]+\\.\\d{3}Z$' } : copy;
}

/** Makes the references of a separate schema point into the document. */
function closedRefs(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(closed(schema)).replaceAll('"$ref":"#', `"$ref":"${id}#`));
}
