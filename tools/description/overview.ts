import { errorTable, gatewayErrorTable } from './error-texts.ts';

/** What the documents say of the product comes from its package. */
export type Product = { readonly version: string; readonly license: string };

/** What holds for every call. */
export const about = {
  title: 'Roomscribe',
  summary: 'Transcripts and usage insights for video rooms.',
  description: `Transcripts of recordings and of live sessions, and usage insights for rooms, room sessions and participants.

## Tokens

Every call but that of this description takes an access token: \`Authorization: Bearer <JWT>\`. Get one by OAuth 2.0
client credentials at the token endpoint of the deployment (ask its operator for the address, a client id and a secret).
One claim of the token names the organization, whose data the call reads and changes. Another organization's id gets the
answer of an id that never existed. Routes have no scopes yet: every valid token may call all of them.

## Rate limit

An organization has points for each minute (1000, unless the deployment says otherwise), which all its tokens share. A
read costs 1 point, a delete 2, a write 3. The answers of the service say in \`x-ratelimit-limit\`,
\`x-ratelimit-remaining\` and \`x-ratelimit-reset\` how many there are, how many are left, and when the minute ends. Where
they are spent, the answer is a 429 \`rate_limited\` with \`retry-after\`.

## Requests

- Bodies are JSON in UTF-8, at most 1 MiB. Unknown fields of a body are ignored.
- Query parameters that are unknown, or given twice, are a 400: a misspelt filter must not answer with everything.
- UUIDs come in any case, and come back in lower case. Room names have at most 512 bytes of UTF-8.
- Times come with \`Z\` or an offset (whose \`+\` is written \`%2B\` in a URL; seconds may be left out), and come back in UTC with milliseconds and \`Z\`.
- With \`Accept-Encoding: gzip\`, answers of 1 KiB and more come compressed.

## Errors

Branch on \`code\`.

${errorTable()}

API Gateway answers some requests by itself, with a \`message\` and no \`code\`:

${gatewayErrorTable()}
`,
};

/** The groups of operations. */
export const tags = [
  { name: 'transcriptions', description: 'Transcripts of recordings and of live sessions.' },
  { name: 'insights', description: 'Usage and quality of rooms, sessions and participants, seconds after the event.' },
  { name: 'description', description: 'The description of this API.' },
];

/** How a caller says whose it is. */
export const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'An RS256 token from the issuer of the deployment, with its audience or scope, by OAuth 2.0 client credentials at ' +
    'its token endpoint. Every valid token may call all operations.',
};
