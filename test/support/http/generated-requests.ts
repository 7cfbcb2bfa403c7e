import fc from 'fast-check';
import { misfit, type Operation, operations, type Parameter } from '../docs/described.ts';
import { fitting } from '../media/fitting.ts';

/** A request generated from the description. */
export type GeneratedRequest = {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Why the description does not allow the request. Undefined if it does. */
  readonly problem: string | undefined;
};

/** Strings that often break programs. */
const hostile = fc.constantFrom(
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '1.5',
    'NaN',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '"',
    "'",
    '\\',
    '%',
    '%00',
    '%zz',
  ],
  ...[
    '\0',
    '\r\nx: y',
    '../../etc/passwd',
    '/',
    '//',
    '/a?b#c',
    'desc',
    'startDate',
    'startDate:up',
    '__proto__',
    '$where',
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-01-01',
    '2026-01-01T00:00:00+99:99',
    '-000001-01-01T00:00:00Z',
  ],
  ...['🎙', '\u202e', 'é', 'e\u0301', '\ud800', 'x'.repeat(2000), '9'.repeat(400)],
);
const anyText = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 300 }));

/** A parameter with no value, one value or two. */
type Given = { readonly parameter: Parameter; readonly values: readonly string[] };

const noValues: readonly string[] = [];

/** Omits most optional parameters if there are many. Otherwise few requests would be valid. */
function given(parameter: Parameter, _index: number, { length }: readonly Parameter[]): fc.Arbitrary<Given> {
  const fit = fitting(parameter.schema).map(String);
  const values = fc.oneof(
    { weight: 6, arbitrary: fit.map((value) => [value]) },
    { weight: parameter.required ? 1 : 4 * length, arbitrary: fc.constant(noValues) },
    { weight: 2, arbitrary: anyText.map((value) => [value]) },
    { weight: 1, arbitrary: fc.tuple(fit, fit) },
  );
  return values.map((chosen) => ({ parameter, values: parameter.in === 'path' ? chosen.slice(0, 1) : chosen }));
}

const noParameters: readonly (readonly [string, string])[] = [];
const unknownParameter = fc.oneof(
  { weight: 9, arbitrary: fc.constant(noParameters) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('organizationId', 'limit[]', 'Limit', 'x y', '__proto__'), anyText)
      .map((one): typeof noParameters => [one]),
  },
);

type Body = { readonly text: string; readonly value: unknown };

function bodyFor({ requestBody }: Operation): fc.Arbitrary<Body | undefined> {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return fc.constant(undefined);
  const json = (value: unknown): Body => ({ text: JSON.stringify(value), value });
  return fc.oneof(
    { weight: 6, arbitrary: fitting(schema).map(json) },
    { weight: 2, arbitrary: fc.jsonValue().map(json) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('', '{', '{}}', '"', "{'a':1}", 'NaN', '\ufeff{}')
        .map((text) => ({ text, value: notJson })),
    },
  );
}

const notJson = Symbol('not JSON');

/**
 * Valid and invalid requests of every operation, with missing, repeated, unknown and hostile parameters and all kinds
 * of bodies.
 */
export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc
  .constantFrom(...operations.filter(({ operation }) => operation.operationId !== 'get-api-description'))
  .chain(({ method, path, operation }) =>
    fc
      .record({
        parameters: fc.tuple(...(operation.parameters ?? []).map(given)),
        unknown: unknownParameter,
        body: bodyFor(operation),
        contentType: fc.constantFrom(
          ...Array(8).fill('application/json'),
          'application/json; charset=utf-8',
          'text/plain',
        ),
      })
      .map(({ parameters, unknown, body, contentType }) => {
        const inQuery = parameters.filter(({ parameter }) => parameter.in === 'query');
        const pairs = [
          ...inQuery.flatMap(({ parameter, values }) => values.map((value) => [parameter.name, value] as const)),
          ...unknown,
        ];
        const query = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
        return {
          operation,
          method,
          path: pathOf(path, parameters) + (query && `?${query}`),
          headers: { ...headersOf(parameters), ...(body && { 'content-type': contentType }) },
          body: body?.text,
          problem: problemOf(operation, parameters, unknown, body, contentType),
        };
      }),
  );

const encoded = (text = '') => encodeURIComponent(text.toWellFormed());

function pathOf(template: string, parameters: readonly Given[]): string {
  return template.replaceAll(/\{(\w+)\+?\}/g, (_, name) => {
    const value = parameters.find(({ parameter }) => parameter.name === name)?.values[0];
    return encoded(value || '-'); // an empty segment would be another path
  });
}

/** Headers that HTTP can carry: visible characters and spaces only. */
function headersOf(parameters: readonly Given[]): Record<string, string> {
  const inHeaders = parameters.filter(({ parameter, values }) => parameter.in === 'header' && values.length > 0);
  return Object.fromEntries(
    inHeaders.map(({ parameter, values }) => [parameter.name.toLowerCase(), headerValue(values)]),
  );
}

const headerValue = (values: readonly string[]) =>
  values
    .join(', ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim();

function problemOf(
  operation: Operation,
  parameters: readonly Given[],
  unknown: readonly unknown[],
  body: Body | undefined,
  contentType: string,
): string | undefined {
  if (unknown.length > 0) return 'an unknown parameter';
  for (const { parameter, values } of parameters) {
    const problem = parameterProblem(parameter, values);
    if (problem !== undefined) return `${parameter.name} ${problem}`;
  }
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema || !body) return undefined;
  if (!contentType.startsWith('application/json')) return 'another content type';
  return body.value === notJson ? 'no JSON' : misfit(schema, body.value);
}

function parameterProblem({ in: place, required, schema }: Parameter, values: readonly string[]): string | undefined {
  if (values.length > 1) return 'twice';
  const [value] = place === 'header' && values.length > 0 ? [headerValue(values)] : values;
  if (value === undefined) return required ? 'is missing' : undefined;
  return misfit(schema, schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value);
}
