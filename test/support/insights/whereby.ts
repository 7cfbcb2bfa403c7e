import { readFileSync } from 'node:fs';
import { description, type Operation, type Parameter } from '../docs/described.ts';

/** The facts of a value in a description. */
export type Facts = {
  readonly type?: string | readonly string[];
  readonly required?: true;
  /** Where a parameter is: in the path or the query. */
  readonly in?: string;
  readonly format?: string;
  /** The type of the elements of an array. */
  readonly items?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
};
type Fields = Readonly<Record<string, Facts>>;

/** The facts of an operation in Whereby's published description. */
export type WherebyOperation = {
  readonly parameters: Fields;
  readonly body?: Fields;
  readonly success: number;
  /** The fields of the answer, or of its page. */
  readonly fields?: Fields;
  readonly page?: readonly string[];
  /** The fields of each element of the answer. */
  readonly elements?: Fields;
  readonly errors: readonly number[];
};

/** Facts of field, type and parameter of the operations that we share with Whereby, and the commit that they come from. */
export const whereby = JSON.parse(readFileSync(new URL('whereby.json', import.meta.url), 'utf8')) as {
  readonly source: { readonly repository: string; readonly file: string; readonly commit: string };
  readonly operations: Readonly<Record<string, WherebyOperation>>;
};

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
};

/** Every point in which our description differs from Whereby's, so that a client of theirs could notice. */
export function differences(): string[] {
  return Object.entries(whereby.operations).flatMap(([name, theirs]) => {
    const [method = '', path = ''] = name.split(' ');
    const ours = description.paths[`/v1${path}`]?.[method.toLowerCase()];
    if (!ours) return [`${name} is missing`];
    return [...ofRequest(theirs, ours), ...ofAnswer(theirs, ours)].map((difference) => `${name}: ${difference}`);
  });
}

function ofRequest(theirs: WherebyOperation, ours: Operation): string[] {
  const { parameters = [], requestBody } = ours;
  const body = resolved(requestBody?.content['application/json']?.schema);
  return [
    ...Object.entries(theirs.parameters).flatMap(([name, facts]) =>
      ofParameter(
        name,
        facts,
        parameters.find((each) => each.name === name),
      ),
    ),
    ...parameters
      .filter(({ name, required }) => required && !theirs.parameters[name]?.required)
      .map(({ name }) => `${name} is required`),
    ...Object.entries(theirs.body ?? {}).flatMap(([name, facts]) => {
      const own = body.properties?.[name];
      return own ? ofValue(name, facts, own) : [`${name} of the body is not accepted`];
    }),
    ...(body.required ?? [])
      .filter((name) => !theirs.body?.[name]?.required)
      .map((name) => `${name} of the body is required`),
  ];
}

function ofParameter(name: string, theirs: Facts, ours: Parameter | undefined): string[] {
  if (!ours) return [`${name} is not accepted`];
  const bounds = (['minimum', 'maximum', 'default'] as const).filter(
    (bound) => theirs[bound] !== undefined && theirs[bound] !== ours.schema[bound],
  );
  return [
    ...bounds.map((bound) => `${name} has another ${bound}`),
    ...(theirs.in === ours.in ? [] : [`${name} is in the ${ours.in}`]),
    ...ofValue(name, theirs, ours.schema as Schema),
  ];
}

/** Differences of a value that we read. */
function ofValue(name: string, theirs: Facts, ours: Schema): string[] {
  const hasType = theirs.type === undefined || typesOf(ours).includes(String(theirs.type));
  return [...(hasType ? [] : [`${name} has another type`]), ...ofParts(name, theirs, ours)];
}

/** Differences in the format of a text, and in the elements of an array. */
function ofParts(name: string, theirs: Facts, ours: Schema): string[] {
  const kinds = alternativesOf(ours).filter(({ type }) => type !== 'null');
  const hasItems = kinds.every(({ items }) => theirs.items === undefined || typesOf(items).includes(theirs.items));
  const hasFormat = kinds.every(({ format }) => theirs.format === undefined || theirs.format === format);
  return [...(hasItems ? [] : [`${name} has other elements`]), ...(hasFormat ? [] : [`${name} has another format`])];
}

function ofAnswer(theirs: WherebyOperation, ours: Operation): string[] {
  const answer = ours.responses[theirs.success] as { content?: Record<string, { schema?: Schema }> } | undefined;
  if (!answer) return [`${theirs.success} is no answer`];
  const schema = resolved(answer.content?.['application/json']?.schema);
  const elements = resolved(theirs.page ? resolved(schema.properties?.results).items : schema.items);
  return [
    ...(theirs.page ?? []).filter((name) => !schema.required?.includes(name)).map((name) => `${name} is missing`),
    ...ofFields(theirs.fields, schema),
    ...ofFields(theirs.elements, elements),
    ...theirs.errors.filter((status) => !(status in ours.responses)).map((status) => `${status} is no answer`),
  ];
}

function ofFields(theirs: Fields = {}, ours: Schema): string[] {
  return Object.entries(theirs).flatMap(([name, facts]) => {
    const own = ours.properties?.[name];
    if (!own) return [`${name} is missing`];
    const values = resolved(own).enum?.filter((value) => facts.enum && !facts.enum.includes(value)) ?? [];
    return [
      ...(facts.required && !ours.required?.includes(name) ? [`${name} is not always there`] : []),
      ...(facts.type ? typesOf(own).filter((type) => !allows(facts.type, type)) : []).map(
        (type) => `${name} can be ${type}`,
      ),
      ...ofParts(name, facts, own),
      ...values.map((value) => `${name} can be ${value}`),
    ];
  });
}

const allows = (theirs: Facts['type'], type: string) =>
  [theirs].flat().some((each) => each === type || (each === 'number' && type === 'integer'));

function typesOf(schema?: Schema): string[] {
  return alternativesOf(schema).flatMap(({ type = [] }) => type);
}

function alternativesOf(schema?: Schema): Schema[] {
  const own = resolved(schema);
  return own.anyOf ? own.anyOf.flatMap(alternativesOf) : [own];
}

function resolved(schema: Schema = {}): Schema {
  if (schema.$ref === undefined) return schema;
  const parts = schema.$ref.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], description) as Schema;
}

const notKnown = 'not known yet, or never told: `null` says so, where Whereby leaves open what it sends';
const whole = 'our interface says `number`; the values are whole minutes, which a test of real answers holds';
const served = 'the service has a name of its own for the files that it keeps';

/** The differences that we want, each with its reason. Another one fails a test, and so does a row that is no difference any more. */
export const deliberate: Readonly<Record<string, string>> = {
  'POST /transcriptions: transcriptionId is missing':
    'the answer has no body by our interface; its `Location` has the id',
  ...reasons('GET /transcriptions', { 'filename can be null': notKnown, 'endDate can be null': notKnown }),
  ...reasons('GET /transcriptions/{transcriptionId}', {
    'filename can be null': notKnown,
    'endDate can be null': notKnown,
    'storageType can be SERVICE_HOSTED': served,
  }),
  'GET /transcriptions: storageType can be SERVICE_HOSTED': served,
  ...reasons('GET /insights/rooms', {
    'endAt can be null': notKnown,
    'firstSessionStartedAt can be null': notKnown,
    'lastSessionStartedAt can be null': notKnown,
    'totalParticipantMinutes can be number': whole,
    'totalRecorderMinutes can be number': whole,
    'totalStreamerMinutes can be number': whole,
  }),
  ...reasons('GET /insights/room-sessions', {
    'endedAt can be null': notKnown,
    'totalParticipantMinutes can be number': whole,
    'totalRecorderMinutes can be number': whole,
    'totalStreamerMinutes can be number': whole,
  }),
  ...reasons('GET /insights/participants', {
    'userId can be null': notKnown,
    'leftAt can be null': notKnown,
    'externalId can be null': notKnown,
  }),
};

function reasons(operation: string, rows: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(rows).map(([row, reason]) => [`${operation}: ${row}`, reason]));
}

/** What is missing or of another type in a real object, by the fields that Whereby promises. */
export function broken(operation: string, promised: Fields, value: Readonly<Record<string, unknown>>): string[] {
  const known = (row: string) => `${operation}: ${row}` in deliberate;
  return Object.entries(promised).flatMap(([name, facts]) => {
    if (!(name in value)) return known(`${name} is missing`) ? [] : [`${name} is missing`];
    const actual = jsonTypeOf(value[name]);
    if (actual === 'null' && known(`${name} can be null`)) return [];
    if (facts.type !== undefined && !allows(facts.type, actual)) return [`${name} is ${actual}`];
    return hasParts(facts, value[name]) ? [] : [`${name} is ${JSON.stringify(value[name])}`];
  });
}

function hasParts({ items, format }: Facts, value: unknown): boolean {
  if (Array.isArray(value)) return items === undefined || value.every((each) => allows(items, jsonTypeOf(each)));
  return format !== 'date-time' || /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(String(value));
}

/** The type of a value in JSON Schema. `integer` is what a whole number is called. */
function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
