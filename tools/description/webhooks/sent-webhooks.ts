import { webhookHeaders } from '#shared/contracts/webhooks/webhook-headers.ts';
import type { Json } from '../answers.ts';
import { exampleNotice } from './notice-texts.ts';
import { webhookResponses } from './webhook-schemas.ts';

/** The headers of a call of a webhook, each with its text and an example. */
export const sentHeaders = {
  [webhookHeaders.id]: {
    description: 'Identifier of the notice, the same in each attempt.',
    example: exampleNotice('transcription.finished').id,
  },
  [webhookHeaders.timestamp]: {
    description:
      'When the attempt was made, in seconds since 1970 (UTC). Refuse one that is more than five minutes old.',
    example: '1772443930',
  },
  [webhookHeaders.signature]: {
    description:
      'Signatures as Standard Webhooks have them, one for each secret that is valid, with spaces between them: `v1,` and the base64 of ' +
      'HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the body, with dots between them. Accept the call if one of them fits.',
    example: 'v1,Ka1hO9sGvG1dXG2T7kXJ9M3V1sEJ0eEo9S4T3lM8a2o=',
  },
  [webhookHeaders.whereby]: {
    description: 'The signature as Whereby has it. Only of webhooks whose `signature` is `whereby`.',
    example: 't=1772443930,v1=6f2c1d0e9b8a7f6e5d4c3b2a19080706f5e4d3c2b1a09f8e7d6c5b4a39281706',
  },
} as const;

/**
 * The calls that the service makes to the address of a webhook. They are callbacks of its creation, not `webhooks` of
 * the document: from those, openapi-generator makes operations without types, in place of those with the same tag.
 */
export function callbacksOfWebhook(addressOf: (name: string) => string): Json {
  const { TestNotice } = webhookResponses;
  return {
    notice: sentCall({
      operationId: 'receive-notice',
      summary: 'A notice',
      description:
        'The service calls the `url` of each webhook with each notice that it wants. Answer with a 2xx within 10 seconds, and do your work ' +
        'afterwards. Any other answer is an attempt that failed, and the call is repeated for three days. A notice can come more than once, and in any order.',
      schema: addressOf('Notice'),
      example: exampleNotice('transcription.finished'),
    }),
    test: sentCall({
      operationId: 'receive-test',
      summary: 'A test',
      description: 'The call of `test-webhook`. It is signed as a notice is, and made once.',
      schema: addressOf('TestNotice'),
      example: TestNotice.example,
    }),
  };
}

type SentCall = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example: unknown;
};

function sentCall({ schema, example, ...texts }: SentCall): Json {
  const post = {
    ...texts,
    tags: ['webhooks'],
    security: [],
    parameters: Object.entries(sentHeaders).map(([name, text]) => ({
      ...{ name, in: 'header', ...text },
      required: name !== webhookHeaders.whereby,
      schema: { type: 'string' },
    })),
    requestBody: {
      description: 'The notice.',
      required: true,
      content: {
        'application/json': {
          schema: { $ref: schema },
          examples: { notice: { summary: texts.summary, value: example } },
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken. The body is ignored. It has at most 64 KB.' },
      '4XX': { description: 'Not taken. The call is repeated, after `retry-after` if the answer has it.' },
    },
  };
  return { '{$request.body#/url}': { post } };
}
