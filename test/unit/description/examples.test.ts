import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Identifier, queryInteger, RoomName, Uuid } from '#shared/contracts/common/fields.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import { CreateAccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventTexts } from '#tools/description/events/event-texts.ts';
import { jsonSchema } from '#tools/description/json-schema.ts';
import { exampleDocument } from '#tools/description/transcriptions/transcript-schema.ts';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const openApi = read('docs/openapi.json');
const asyncApi = read('docs/asyncapi.json');

const ajv = new Ajv2020({ allowUnionTypes: true });
formats.default(ajv);
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });

type Content = { readonly 'application/json'?: { readonly examples?: Readonly<Record<string, { value: unknown }>> } };
const valuesOf = (content: Content | undefined) =>
  Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value);

describe.each(endpointList)(
  'the examples of $operationId',
  ({ method, path, body, query, params, headers, ...rest }) => {
    const operation = openApi.paths[path][method.toLowerCase()];

    test('are accepted as request bodies, and match the schema as response bodies', () => {
      const sent = valuesOf(operation.requestBody?.content);
      const answered = valuesOf(operation.responses[rest.successStatus].content);
      expect([sent.length > 0, answered.length > 0]).toEqual([body !== undefined, rest.response !== undefined]);
      for (const value of sent) expect(body?.safeParse(value)).toMatchObject({ success: true });
      for (const value of answered) expect(rest.response?.safeParse(value)).toEqual({ success: true, data: value });
    });

    test('are accepted as parameters, all in one request', () => {
      const examplesIn = (place: string) =>
        Object.fromEntries(
          (operation.parameters ?? [])
            .filter((parameter: { in: string; example?: unknown }) => parameter.in === place && 'example' in parameter)
            .map(({ name, example }: { name: string; example: unknown }) => [name, String(example)]),
        );
      expect(params?.safeParse(examplesIn('path')).success ?? true).toBe(true);
      expect(query?.safeParse(examplesIn('query')).success ?? true).toBe(true);
      expect(headers?.safeParse(examplesIn('header')).success ?? true).toBe(true);
    });
  },
);

test('the JSON Schema of transcripts accepts its example, and not without any one of the required fields', () => {
  const schema = read('docs/transcript.schema.json');
  const validate = ajv.compile(schema);
  expect([validate(exampleDocument), validate.errors]).toEqual([true, null]);
  for (const name of schema.$defs.Transcript.required) {
    const { [name as never]: _, ...lacking } = exampleDocument;
    expect([name, validate(lacking)]).toEqual([name, false]);
  }
  expect(validate({ ...exampleDocument, laterField: 1 })).toBe(true);
});

describe.each(Object.entries(eventTexts))('the example of %s', (type, { example }) => {
  const isMeasured = type === 'room.client.sampled' || type === 'room.client.spoke';
  const schema = isMeasured ? MeasuredEvent : RoomEvent;
  const validate = ajv.compile(read('docs/events.schema.json'));

  test('is accepted by its queue and matches the JSON Schema of the events', () => {
    expect(schema.safeParse(example)).toMatchObject({ success: true, data: { type } });
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(asyncApi.components.messages[type].examples[0].payload).toEqual(example);
  });

  test('is rejected by the queue and by the JSON Schema without any one of its required fields', () => {
    const { required } = read('docs/events.schema.json').$defs[type];
    expect(required).toEqual(['id', 'type', 'organizationId', 'createdAt', 'data']);
    for (const name of required) {
      const { [name as never]: _, ...lacking } = example;
      expect([name, schema.safeParse(lacking).success, validate(lacking)]).toEqual([name, false, false]);
    }
  });

  test('is only on the channel of its queue', () => {
    const channels = Object.keys(asyncApi.channels).filter((name) => type in asyncApi.channels[name].messages);
    expect(channels).toEqual([isMeasured ? 'networkSamples' : 'roomEvents']);
  });
});

describe('a JSON Schema', () => {
  test.each([
    [
      'a room name',
      RoomName,
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 600 })).map((x) => `/${x}`),
    ],
    ['an identifier', Identifier, fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 300 }))],
    [
      'a UUID',
      Uuid,
      fc.oneof(
        fc.uuid(),
        fc.uuid().map((uuid) => uuid.toUpperCase()),
        fc.string(),
      ),
    ],
  ])('of %s accepts all values that the service accepts', (_, schema, values) => {
    const validate = ajv.compile(jsonSchema(schema, 'input'));
    fc.assert(fc.property(values, (value) => !schema.safeParse(value).success || validate(value)));
  });

  test.each([
    ['a room name without a slash', RoomName, 'team'],
    ['a room name with NUL', RoomName, '/te\0am'],
    ['a room name that is too long', RoomName, `/${'a'.repeat(512)}`],
    ['an empty identifier', Identifier, ''],
    ['an identifier that is too long', Identifier, 'a'.repeat(257)],
    ['text that is not a UUID', Uuid, 'x'],
  ])('rejects %s, like the service', (_, schema, value) => {
    expect([schema.safeParse(value).success, ajv.validate(jsonSchema(schema, 'input'), value)]).toEqual([false, false]);
  });

  test('of a number in a query accepts exactly the numbers that the service accepts as text', () => {
    const schema = queryInteger(1, 100);
    const validate = ajv.compile(jsonSchema(schema, 'input'));
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 200 }), (number) => {
        expect(validate(number)).toBe(schema.safeParse(String(number)).success);
      }),
    );
    expect(jsonSchema(CreateAccessLink, 'input')).toMatchObject({
      properties: { validForSeconds: { type: 'integer', minimum: 1, maximum: 43_200, default: 3600 } },
    });
  });
});
