import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { errorStatuses } from '#shared/contracts/common/errors.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { documents } from '#tools/description/documents.ts';

const texts = Object.entries(documents());
const openApi = JSON.parse(documents()['docs/openapi.json'] ?? '');

test.each(texts)('%s is up to date with `npm run describe`', (file, text) => {
  expect(readFileSync(file, 'utf8') === text, `${file} is out of date: run npm run describe`).toBe(true);
});

test.each(['docs/openapi.json', 'docs/asyncapi.json'])(
  '%s passes the recommended lint rules, and its examples match their schemas',
  async (file) => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-invalid-schema-examples': 'error',
      },
    });
    const problems = await lint({ ref: file, config });
    const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
    expect(found).toEqual([]);
  },
);

describe('the API description', () => {
  test('contains every endpoint, and requires a token for all but the public ones, those of links and that of webhooks', () => {
    const described = Object.entries<object>(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [`${method.toUpperCase()} ${path}`, security]),
    );
    expect(Object.fromEntries(described)).toEqual({
      ...Object.fromEntries(endpointList.map(({ method, path }) => [`${method} ${path}`, undefined])),
      ...Object.fromEntries(publicEndpointList.map(({ method, path }) => [`${method} ${path}`, []])),
      'GET /v1/links/{token}': [],
      'HEAD /v1/links/{token}': [],
      'POST /v1/hooks/{connectionId}/{proxy}': [{ platformSignature: [] }],
    });
    expect(openApi.security).toEqual([{ accessToken: [] }]);
  });

  test('names both spellings of filters in its introduction', () => {
    for (const pair of ['`createdAt[from]` or `createdAtFrom`', '`roomName[exact]` or `roomName`'])
      expect(openApi.info.description).toContain(pair);
  });

  test('sorts its tags, and names a contact and the address of the license', () => {
    const names = openApi.tags.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(names.toSorted());
    expect(openApi.info).toMatchObject({
      contact: { name: expect.any(String) },
      license: { url: expect.stringMatching(/^https:/) },
    });
  });

  test('contains a response for every error code of the contract, under its status', () => {
    const found = Object.values<object>(openApi.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries<{ $ref?: string }>(responses))
      .flatMap(([status, { $ref = '' }]) =>
        codesOf($ref.split('/').at(-1) ?? '').map((code) => [code, Number(status)]),
      );
    expect(Object.fromEntries(found)).toEqual(errorStatuses);
  });

  test('defines the type of every parameter and field', () => {
    const vague = [...placesOf(openApi.components.schemas), ...placesOf(openApi.paths)].filter(
      ({ schema }) => !['type', '$ref', 'anyOf', 'allOf', 'oneOf'].some((keyword) => keyword in schema),
    );
    expect(vague).toEqual([]);
  });

  test('has no schema that client generators misread: two patterns, a pattern beside a format, or alternatives that overlap', () => {
    const misread = schemasOf(openApi).filter(
      ({ pattern, format, allOf = [], oneOf }) =>
        (pattern && format) || allOf.filter((part) => part.pattern).length > 0 || oneOf,
    );
    expect(misread).toEqual([]);
    expect(schemasOf({ properties: { items: { allOf: [{ pattern: '^a' }] } } })).toHaveLength(2); // it looks everywhere
  });

  test('has nothing of which generators make code that does not compile: webhooks of the document, and members of a union without a name', () => {
    expect(openApi).not.toHaveProperty('webhooks');
    expect(Object.keys(openApi.paths['/v1/webhooks'].post.callbacks)).toEqual(['notice', 'test']);
    const nameless = placesOf(openApi.components.schemas).filter(({ schema: { anyOf = [] } }: { schema: Union }) => {
      const members = anyOf.filter(({ type }) => type !== 'null');
      return members.length > 1 && !members.every((member) => '$ref' in member);
    });
    expect(nameless).toEqual([]);
    expect(Object.keys(openApi.components.schemas).filter((name) => name.endsWith('Test'))).toEqual([]); // is the test of another class
  });

  test.each(Object.entries(documents()).filter(([file]) => file.endsWith('.json')))(
    'has only patterns that mean the same in every language, in %s',
    (_file, text) => {
      const patterns = new Set(
        schemasOf(JSON.parse(text)).flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern])),
      );
      expect(patterns.size).toBeGreaterThan(0);
      expect([...patterns].filter((pattern) => !portablePattern.test(String(pattern)))).toEqual([]);
    },
  );

  test.each([
    '^[^\\p{Cc}]*$',
    '^\\d{4}$',
    '^\\w$',
    '^[\\s]$',
    '^a(?=b)$',
    '^a(?!b)$',
    '^(?<n>a)$',
    '^é$',
    '^a*$',
    '^a+$',
    '^a{1,}$',
    'a',
  ])('the pattern %s does not count as portable', (pattern) => {
    expect(pattern).not.toMatch(portablePattern);
  });

  test('defines types, bounds, orders and defaults of parameters', () => {
    const { parameters } = openApi.paths['/v1/insights/participants'].get;
    const schemas = Object.fromEntries(parameters.map(({ name, schema }: never) => [name, schema]));
    expect(schemas).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      sortBy: { enum: ['joinedAt:asc', 'joinedAt:desc', 'leftAt:asc', 'leftAt:desc'], default: 'joinedAt:asc' },
      roomSessionId: { type: 'string', format: 'uuid' },
      externalId: { type: 'string', minLength: 1, maxLength: 256 },
    });
    expect(openApi.components.schemas.Transcription.properties).toMatchObject({
      transcriptionId: { type: 'string', format: 'uuid' },
      createdAt: { type: 'string', format: 'date-time' },
      durationInSeconds: { type: 'integer', minimum: 0, format: 'int64' },
    });
  });
});

/** What a field must say, by its name. */
const saidInWords: readonly (readonly [RegExp, RegExp])[] = [
  [/^roomName$/, /512 bytes/],
  [/^(participantId|deviceId|userId|externalId)$/, /256 bytes/],
  [/^(createdAt|startDate|endDate|startedAt|endAt)$/, /1970 to 9998/],
  [/^(createdAt|startDate|endDate|startedAt)$/, /a day after or a year before/],
  [/^endDate$/, /not before `startDate`/],
  [/^(packetLoss|bitrate)/, /as many as in the other series/],
  [/^sampleRateMs$/, /24 hours/],
  [/^bucket$/, /two dots in a row, an IP address/],
  [/^key$/, /1024 bytes/],
];

test('each field of an event says what JSON Schema cannot', () => {
  const { $defs } = JSON.parse(documents()['docs/events.schema.json'] ?? '');
  const fields = Object.values<Described>($defs).flatMap(fieldsOf);
  for (const [name, words] of saidInWords) {
    const named = fields.filter(([field]) => name.test(field));
    expect(named).not.toEqual([]);
    for (const [field, { description }] of named) expect(description, field).toMatch(words);
  }
});

type Described = { readonly description?: string; readonly properties?: Readonly<Record<string, Described>> };

function fieldsOf({ properties = {} }: Described): [string, Described][] {
  return Object.entries(properties).flatMap(([name, field]) => [[name, field], ...fieldsOf(field)]);
}

function codesOf(response: string): string[] {
  const { schema } = openApi.components.responses[response]?.content['application/json'] ?? {};
  return [schema, ...(schema?.anyOf ?? [])].flatMap((part) => part?.properties?.code?.enum ?? []);
}

/**
 * Patterns that mean the same in ECMAScript, Java, RE2, Python, .NET and Rust: after an anchor, literals and classes of ASCII, groups, and
 * repeats with an end. `\\d`, `\\w` and `\\s` differ in Unicode, and RE2 has no look-around.
 */
const portablePattern = (() => {
  const escaped = '\\\\(?:x[0-7][0-9a-f]|[^a-zA-Z0-9\\x80-\\uffff])';
  const literal = `(?:${escaped}|[a-zA-Z0-9 _:;,=/<>@%&~!#'"-])`;
  const oneOf = `\\[\\^?(?:${escaped}|[^\\\\\\]\\[\\x80-\\uffff])+\\]`;
  const token = `\\((?!\\?)|\\||(?:${literal}|${oneOf}|\\))(?:\\?|\\{\\d{1,3}(?:,\\d{1,3})?\\})?`;
  return new RegExp(`^\\^(?:${token})*\\$?$`);
})();

type Union = { readonly anyOf?: readonly { readonly type?: string }[] };

type Keywords = { readonly [keyword in 'pattern' | 'format' | 'oneOf']?: unknown } & {
  readonly allOf?: readonly { readonly pattern?: string }[];
};

/** Every object in a document that has a keyword of JSON Schema. */
function schemasOf(value: unknown): Keywords[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = ['pattern', 'allOf', 'oneOf'].some((keyword) => keyword in value) ? [value] : [];
  return [...own, ...Object.values(value).flatMap(schemasOf)];
}

type Place = { readonly place: string; readonly schema: object };

/** Every schema below a value: those of fields and of parameters. */
function placesOf(value: unknown, place = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = `${place}/${name}`;
    if (name === 'examples') return [];
    if (name === 'schema') return [{ place: here, schema: part }, ...placesOf(part, here)];
    const fields = name === 'properties' && !('allOf' in value) ? Object.entries<object>(part) : [];
    return [...fields.map(([field, schema]) => ({ place: `${here}/${field}`, schema })), ...placesOf(part, here)];
  });
}
