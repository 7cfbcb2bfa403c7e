import { noticeTypes } from '#shared/contracts/notices/notice-types.ts';
import { webhookHeaders } from '#shared/contracts/webhooks/webhook-headers.ts';
import { testType } from '#shared/contracts/webhooks/webhooks.ts';
import type { Json } from '../answers.ts';
import type { JsonSchema } from '../json-schema.ts';
import { describedSchemas } from '../schema-components.ts';
import { exampleNotice, noticeResponses, noticeTexts } from './notice-texts.ts';
import { sentHeaders } from './sent-webhooks.ts';
import { webhookResponses } from './webhook-schemas.ts';

/** Where notices go: the event bus of the deployment, and webhooks. */
const channels = {
  eventBus: {
    title: 'Event bus',
    description:
      'The EventBridge bus of the deployment. Its output `EventBusName` names it. `source` is `roomscribe`, `detail-type` is the type of the notice, and ' +
      '`detail` is the payload of the message.',
    prefix: 'event',
    security: 'eventRule',
    types: noticeTypes,
  },
  webhooks: {
    title: 'Webhooks',
    description: 'The addresses that organizations have given to `POST /v1/webhooks`. Each call is an HTTPS POST.',
    prefix: 'notice',
    security: 'webhookSignature',
    types: [...noticeTypes, testType],
  },
} as const;

type Channel = keyof typeof channels;
const names = Object.keys(channels) as Channel[];

/** The key of a message. Some types of notices have the name of an event that a platform sends. */
const keyOf = (channel: Channel, type: string) => `${channels[channel].prefix}.${type}`;

/** The channels on which the service sends notices. */
export function noticeChannels(): Json {
  return Object.fromEntries(
    names.map((name) => {
      const { title, description, types } = channels[name];
      const keys = types.map((type) => keyOf(name, type));
      const messages = keys.map((key) => [key, { $ref: `#/components/messages/${key}` }]);
      return [name, { title, description, messages: Object.fromEntries(messages) }];
    }),
  );
}

/** The operations that send notices. */
export function noticeOperations(): Json {
  return Object.fromEntries(
    names.map((name) => {
      const { title, types, security } = channels[name];
      const address = `#/channels/${name}`;
      const operation = {
        action: 'send',
        channel: { $ref: address },
        title: `Send to ${title.toLowerCase()}`,
        summary: 'Roomscribe tells what has happened.',
        description:
          'A notice is sent at least once, and in any order. `id` is the same in each repetition, and `data.revision` orders the notices about one subject.',
        messages: types.map((type) => ({ $ref: `${address}/messages/${keyOf(name, type)}` })),
        security: [{ $ref: `#/components/securitySchemes/${security}` }],
      };
      return [`send-${name === 'eventBus' ? 'event-bus' : name}`, operation];
    }),
  );
}

/** The messages of both channels. That on the bus also names the organization. */
export function noticeMessages(): Json {
  return Object.fromEntries(
    names.flatMap((channel) =>
      channels[channel].types.map((type) => {
        const key = keyOf(channel, type);
        const { summary, example } = textsOf(type);
        const ofBus = channel === 'eventBus';
        const message = {
          name: key,
          title: type,
          summary,
          contentType: 'application/json',
          ...(!ofBus && { headers: headersSchema }),
          payload: ofBus
            ? { allOf: [organization, { $ref: `#/components/schemas/notice.${type}` }] }
            : { $ref: `#/components/schemas/notice.${type}` },
          examples: [{ name: 'example', summary, payload: ofBus ? { organizationId: 'acme', ...example } : example }],
        };
        return [key, message];
      }),
    ),
  );
}

function textsOf(type: (typeof channels)['webhooks']['types'][number]) {
  if (type !== testType) return { summary: noticeTexts[type].summary, example: exampleNotice(type) };
  const { description, example } = webhookResponses.TestNotice;
  return { summary: description, example };
}

/** The schemas of notices by `notice.<type>`, and of a test. */
export function noticeSchemas(): Json {
  const addressOf = (name: string) => `#/components/schemas/${name}`;
  const { Notice: _, ...ofNotices } = noticeResponses;
  const described = Object.entries({ ...ofNotices, TestNotice: webhookResponses.TestNotice }).map(([name, texts]) => {
    const { type } = texts.example;
    return [name.endsWith('Notice') ? `notice.${type}` : name, texts] as const;
  });
  const schemas = describedSchemas(Object.fromEntries(described), 'output', addressOf);
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withBareData(schema)]));
}

/** AsyncAPI allows nothing beside a reference. */
function withBareData(schema: unknown): unknown {
  const { properties } = schema as { readonly properties: Readonly<Record<string, JsonSchema>> };
  const { $ref } = properties.data ?? {};
  return $ref === undefined ? schema : { ...(schema as object), properties: { ...properties, data: { $ref } } };
}

/** How receivers know that a notice is one, or are allowed to get it. */
export const noticeSecurity = {
  eventRule: {
    type: 'http',
    scheme: 'AWS4-HMAC-SHA256',
    description: 'AWS Signature Version 4, by an identity that may put rules on the event bus.',
  },
  webhookSignature: {
    type: 'httpApiKey',
    in: 'header',
    name: webhookHeaders.signature,
    description: 'A signature as Standard Webhooks have it, by the secret of the webhook.',
  },
} as const;

const organization: JsonSchema = {
  type: 'object',
  required: ['organizationId'],
  properties: { organizationId: { type: 'string', description: 'Organization that the notice belongs to.' } },
};

const headersSchema: JsonSchema = {
  type: 'object',
  required: Object.values(webhookHeaders).filter((name) => name !== webhookHeaders.whereby),
  properties: Object.fromEntries(
    Object.entries(sentHeaders).map(([name, { description, example }]) => [
      name,
      { type: 'string', description, examples: [example] },
    ]),
  ),
};
