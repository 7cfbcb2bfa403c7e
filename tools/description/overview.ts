import { errorTable, gatewayErrorTable } from './error-texts.ts';
import { insightOperations } from './insights/insight-operations.ts';
import type { AnyOperationTexts } from './texts.ts';
import { transcriptionOperations } from './transcriptions/transcription-operations.ts';

/** The facts about the product that the documents contain; they come from package.json. */
export type Product = { readonly version: string; readonly license: string };

/** Whom callers ask. Each deployment has its own operator. */
export const contact = { name: 'The operator of the deployment' };

/** The license of the product, with the address of its text. */
export function licenseOf(identifier: string) {
  return { name: identifier, url: `https://spdx.org/licenses/${identifier}.html` };
}

/** The filters that have two spellings, from the texts of the operations. */
function twoSpellings(): string {
  const operations: Readonly<Record<string, AnyOperationTexts>> = { ...transcriptionOperations, ...insightOperations };
  const queries = Object.values(operations).flatMap(({ query = {} }) => Object.entries(query));
  const pairs = queries.flatMap(([name, text]) => {
    if (!('sameAs' in text)) return [];
    const [bracketed, plain] = name.includes('[') ? [name, text.sameAs] : [text.sameAs, name];
    return [`\`${bracketed}\` or \`${plain}\``];
  });
  return [...new Set(pairs)].sort().join(', ');
}

/** The introduction of the OpenAPI description: rules that hold for every call. */
export const about = {
  title: 'Roomscribe',
  summary: 'Transcripts and usage insights for video rooms.',
  description: `Transcripts of recordings and of live sessions, and usage insights for rooms, room sessions and participants.

## Tokens

Every call needs an access token: \`Authorization: Bearer <JWT>\`. There are two exceptions: the call for this description, and
\`/v1/links/{token}\`, whose path contains the token of a link. Get an access token with
OAuth 2.0 client credentials from the token endpoint of the deployment. The operator gives you its address, a client id and
a secret. One claim of the token names the organization. A call reads and changes only the data of that organization. An id
of another organization gets the same answer as an id that never existed. A token of a machine can call all operations.

People can call the API, too, if the deployment lets them log in. Each person has a role in one organization: a reader may call the
operations with \`x-right: read\`, and an editor all.

## Rate limit

An organization has a number of points per minute, which all its machines share: 1000, unless the deployment sets another
number. Each person has points beside them: 300. A read costs 1 point (the network of a session 3), a deletion or a revocation 2, a create or a change 3, and a bulk delete 2 for each started hundred of its ids. The headers
\`x-ratelimit-limit\`, \`x-ratelimit-remaining\` and \`x-ratelimit-reset\` contain the points per minute, the points left, and the end of the minute. Without enough points, the
answer is a 429 \`rate_limited\` with \`retry-after\`. In a 429 with another code, these headers still describe the points: wait as \`retry-after\` says.

## Requests

- Bodies are JSON in UTF-8, at most 1 MiB. Unknown fields of a body are ignored.
- Query parameters that are unknown or repeated are a 400. Otherwise a misspelt filter would return everything.
- Some filters have two spellings, of which a request uses one: ${twoSpellings()}. Each parameter names its other spelling. The brackets can be percent-encoded or not.
- You can send UUIDs in any case. Answers have them in lower case. Room names have at most 512 bytes of UTF-8. No id and no name of a room contains NUL.
- With openapi-generator for Java, use \`--generate-alias-as-model\`: without it, it cannot write a list beside another type (\`language\`).
- Send times with \`Z\` or an offset (\`+02:00\` or \`+0200\`), in the years 1970 to 9998. In a URL, write the \`+\` of an offset as \`%2B\`. You can leave seconds out. Answers have times in UTC with milliseconds and \`Z\`.
- A list, and the connections of a participant, can also be CSV or NDJSON: \`Accept: text/csv\` or \`Accept: application/x-ndjson\`. The header
  \`x-next-cursor\` then contains the cursor. Errors are always JSON.
- With \`Accept-Encoding: gzip\`, answers of 1 KiB and more are compressed.

## Errors

Branch on \`code\`.

${errorTable()}

API Gateway rejects some requests before they reach the service. These answers have a \`message\` and no \`code\`:

${gatewayErrorTable()}
`,
};

/** The groups of operations, by name. */
export const tags = [
  { name: 'description', description: 'The description of this API.' },
  { name: 'events', description: 'The events that the platform sent and the service refused.' },
  {
    name: 'insights',
    description: 'Usage and quality of rooms, sessions and participants, seconds after an event arrives.',
  },
  { name: 'transcriptions', description: 'Transcripts of recordings and of live sessions.' },
  { name: 'webhooks', description: 'Notices of what has happened, in a list and sent to your own addresses.' },
];

/** How a caller authenticates. */
export const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'An RS256 token from the issuer of the deployment, with its audience or scope. Get it with OAuth 2.0 client ' +
    'credentials from the token endpoint. A token of a machine can call all operations.',
};
