import { Identifier, RoomName } from '#shared/contracts/common/fields.ts';
import { FileLocation, RoomEvent } from '#shared/contracts/events.ts';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import { type JsonSchema, jsonSchema, type Rules } from '../json-schema.ts';
import { type EventType, elementTexts, envelopeTexts, eventTexts } from './event-texts.ts';

/** The queues that a platform sends to, with the schemas of their events. */
export const eventQueues = {
  roomEvents: {
    title: 'Room events',
    output: 'RoomEventsQueueUrl',
    description: 'Rooms, sessions, participants, recordings and live transcriptions.',
    schemas: RoomEvent.def.options,
  },
  networkSamples: {
    title: 'Network samples',
    output: 'NetworkSamplesQueueUrl',
    description: 'Network samples of participants, and when they spoke.',
    schemas: MeasuredEvent.def.options,
  },
} as const;
type EventSchema = (typeof eventQueues)[keyof typeof eventQueues]['schemas'][number];

/** The event type of a schema. */
export function typeOf(schema: EventSchema): EventType {
  const [type] = schema.shape.type.def.values;
  if (!type) throw new Error('A schema of an event names no type.');
  return type;
}

const rules: Rules = new Map<Parameters<Rules['get']>[0], string>([
  [RoomName, 'At most 512 bytes of UTF-8.'],
  [Identifier, 'At most 256 bytes of UTF-8, without NUL.'],
  [
    FileLocation.shape.bucket,
    'Name of an S3 bucket. A name that S3 allows to no bucket (two dots in a row, an IP address, a reserved prefix or suffix) ' +
      'is accepted, and its file is never found.',
  ],
  [
    FileLocation.shape.key,
    'Key in the bucket, at most 1024 bytes of UTF-8. It is taken literally, never decoded. No segment is empty, `.` or `..`. No control characters.',
  ],
]);

/** The JSON Schema of every event type, with its texts. */
export function eventSchemas(): Readonly<Record<EventType, JsonSchema>> {
  const schemas: readonly EventSchema[] = Object.values(eventQueues).flatMap((queue) => [...queue.schemas]);
  const entries = schemas.map((schema) => {
    const type = typeOf(schema);
    return [type, eventSchema(jsonSchema(schema, 'input', rules) as ObjectSchema, type)];
  });
  return Object.fromEntries(entries);
}

type ObjectSchema = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

function eventSchema(converted: ObjectSchema, type: EventType): JsonSchema {
  const { title, summary, data, example } = eventTexts[type];
  const described = withDescriptions(converted, envelopeTexts);
  return {
    title,
    description: summary,
    ...described,
    properties: {
      ...described.properties,
      data: { description: summary, ...withDescriptions(converted.properties.data as ObjectSchema, data) },
    },
    examples: [example],
  };
}

/** Describes each field by its text and by the rule of its schema, or of the schema beside `null`. */
function withDescriptions(schema: ObjectSchema, texts: Readonly<Record<string, string>>): ObjectSchema {
  const properties = Object.entries(schema.properties).map(([name, { description, ...property }]) => {
    const [{ description: ofPart, ...part } = {}, ...others] = (property.anyOf as JsonSchema[] | undefined) ?? [];
    const rule = description ?? ofPart;
    const text = rule ? `${texts[name]} ${rule}` : texts[name];
    const ofElements = elementTexts[name];
    return [
      name,
      {
        description: text,
        ...property,
        ...(property.anyOf !== undefined && { anyOf: [part, ...others] }),
        ...(ofElements && { items: withDescriptions(property.items as ObjectSchema, ofElements) }),
      },
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
