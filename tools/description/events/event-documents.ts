import { queueNames } from '#shared/runtime/names.ts';
import type { Json } from '../answers.ts';
import { contact, licenseOf, type Product } from '../overview.ts';
import {
  noticeChannels,
  noticeMessages,
  noticeOperations,
  noticeSchemas,
  noticeSecurity,
} from '../webhooks/notice-channels.ts';
import { eventQueues, eventSchemas, typeOf } from './event-schemas.ts';
import { eventTexts } from './event-texts.ts';

const title = 'Roomscribe events';
const description =
  'Events that a platform sends to Roomscribe, one JSON object in each SQS message. Deliver each event at least once, in ' +
  'any order: repetition and order make no difference. Invalid events go to a dead-letter queue. Unknown fields are ignored. ' +
  'Text is valid Unicode, without lone surrogates. Lengths count UTF-16 units, unless a field says bytes. ' +
  'Set the `MessageGroupId` of each message to its `organizationId`, so that a backlog of one organization does not delay the ' +
  'events of others.';

const sent =
  'Roomscribe itself sends notices of what has happened: to the event bus of the deployment, and to webhooks.';

/** The JSON Schema (2020-12) of all events. */
export function eventsSchema(): Json {
  const schemas = eventSchemas();
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description,
    oneOf: Object.keys(schemas).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: schemas,
  };
}

/** The AsyncAPI 3.1 document of all events by queue. Its channels have no address: the URLs of queues are known after deployment. */
export function asyncApi({ version, license }: Product): Json {
  const queues = queueNames.flatMap((name) => (name in eventQueues ? [name as keyof typeof eventQueues] : []));
  return {
    asyncapi: '3.1.0',
    info: { title, version, description: `${description} ${sent}`, contact, license: licenseOf(license), tags },
    defaultContentType: 'application/json',
    servers: { sqs: server },
    channels: { ...Object.fromEntries(queues.map((name) => [name, channel(name)])), ...noticeChannels() },
    operations: {
      ...Object.fromEntries(queues.map((name) => [`receive-${kebabCase(name)}`, operation(name)])),
      ...noticeOperations(),
    },
    components: {
      messages: { ...messages(), ...noticeMessages() },
      schemas: { ...eventSchemas(), ...noticeSchemas() },
      securitySchemes: { [securityName]: signature, ...noticeSecurity },
    },
  };
}

const tags = [
  { name: 'insights', description: 'Events of rooms, sessions and participants, from which insights are computed.' },
  { name: 'transcriptions', description: 'Events of recordings and of live transcriptions.' },
];

/** The endpoint of SQS. The queues are those of one deployment. */
const server = {
  host: 'sqs.{region}.amazonaws.com',
  protocol: 'sqs',
  description: 'Amazon SQS in the region of the deployment.',
  variables: { region: { description: 'Region of the deployment.', examples: ['eu-central-1', 'us-east-1'] } },
};

const securityName = 'awsSignature';
/** How a sender authenticates. The AWS SDK and CLI sign messages automatically. */
const signature = {
  type: 'http',
  scheme: 'AWS4-HMAC-SHA256',
  description:
    'AWS Signature Version 4, by an identity with the permission `sqs:SendMessage` for the queue. This permission allows ' +
    'sending events of every organization.',
};

function channel(name: keyof typeof eventQueues): Json {
  const queue = eventQueues[name];
  return {
    title: queue.title,
    description: `${queue.description} An SQS queue of the deployment. The stack's output \`${queue.output}\` is its URL.`,
    messages: Object.fromEntries(
      queue.schemas.map((schema) => [typeOf(schema), { $ref: `#/components/messages/${typeOf(schema)}` }]),
    ),
  };
}

function operation(name: keyof typeof eventQueues): Json {
  const { title: ofQueue, output, schemas } = eventQueues[name];
  const address = `#/channels/${name}`;
  return {
    action: 'receive',
    channel: { $ref: address },
    title: `Receive ${ofQueue.toLowerCase()}`,
    summary: 'Roomscribe receives the events of the platform.',
    description: `Send each event to the queue of \`${output}\`. An event is processed within seconds.`,
    messages: schemas.map((schema) => ({ $ref: `${address}/messages/${typeOf(schema)}` })),
    security: [{ $ref: `#/components/securitySchemes/${securityName}` }],
  };
}

function messages(): Json {
  return Object.fromEntries(
    Object.entries(eventTexts).map(([type, texts]) => [
      type,
      {
        name: type,
        title: texts.title,
        summary: texts.summary,
        contentType: 'application/json',
        payload: { $ref: `#/components/schemas/${type}` },
        examples: [{ name: kebabCase(texts.title), summary: texts.summary, payload: texts.example }],
      },
    ]),
  );
}

function kebabCase(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(' ', '-')
    .toLowerCase();
}
