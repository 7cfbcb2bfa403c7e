import { RoomEvent } from '../../shared/contracts/events.ts';
import { ClientSampled } from '../../shared/contracts/network-samples.ts';
import { type EventType, envelopeTexts, eventTexts } from './event-texts.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

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
    description: 'Network samples of participants.',
    schemas: [ClientSampled],
  },
} as const;
type EventSchema = (typeof eventQueues)[keyof typeof eventQueues]['schemas'][number];

/** The event type of a schema. */
export function typeOf(schema: EventSchema): EventType {
  const [type] = schema.shape.type.def.values;
  if (!type) throw new Error('A schema of an event names no type.');
  return type;
}

/** The JSON Schema of every event type, with its texts. */
export function eventSchemas(): Readonly<Record<EventType, JsonSchema>> {
  const schemas: readonly EventSchema[] = Object.values(eventQueues).flatMap((queue) => [...queue.schemas]);
  const entries = schemas.map((schema) => {
    const type = typeOf(schema);
    return [type, eventSchema(jsonSchema(schema, 'input') as ObjectSchema, type)];
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

function withDescriptions(schema: ObjectSchema, texts: Readonly<Record<string, string>>): ObjectSchema {
  const properties = Object.entries(schema.properties).map(([name, { description, ...property }]) => [
    name,
    { description: [texts[name], description].filter(Boolean).join(' '), ...property },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
