import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { clientOf, type RawAnswer } from '../../support/http/checked-api.ts';
import { generatedRequest } from '../../support/http/generated-requests.ts';
import { organization } from '../../support/machine.ts';
import { connectPlatform } from '../../support/webhooks/connections.ts';

const requests = Number(process.env.FUZZ_REQUESTS ?? 1_400); // the nightly run sends more
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Rules between parameters, and rules about values issued earlier. The description states them in words only. */
const beyondDescription = [
  /^must be a cursor that this API returned$/,
  /^is required, unless externalId is given$/,
  /^must be later than [\w[\]]+$/,
  /^must be a date and time that exists, in the years 1970 to 9998$/,
  /^must (be a day that exists$|not be after to, which is |be at most 365 days before to, which is )/,
  /^cannot be combined with /,
  /^must have participantId or displayName, and not both$/,
  /^must name each \w+ once$/,
  /^must not be empty$/, // but for spaces
  /^must be \w+:asc or \w+:desc with /,
  /^must (be an absolute URL|begin with https:|not contain |not name port 0|name a host with a public address)/,
  /^must (change something|have either noticeId and createdAt, or from)/,
  /^must be (in the past|at most 30 days ago)/,
];
const isBeyondDescription = (message: string) => beyondDescription.some((rule) => rule.test(message));
const issues = ({ text }: RawAnswer) => ErrorBody.parse(JSON.parse(text)).issues?.map(({ message }) => message) ?? [''];

test(`${requests} requests generated from the description get the answers it promises (FUZZ_SEED=${seed})`, {
  timeout: 60_000 + requests * 50,
}, async () => {
  const call = clientOf(organization());
  const statuses = new Map<string, number>();
  const [wronglyTaken, wronglyRefused]: [string[], string[]] = [[], []];
  await inParallel(fc.sample(generatedRequest, { seed, numRuns: requests }), 2, async (request) => {
    const { method, path, headers, body, problem, operation } = request;
    const answer = await call(method, path, { headers, body }); // throws for a 5xx and for an answer that is not described
    if (problem === undefined && answer.status === 400 && !issues(answer).every(isBeyondDescription))
      wronglyRefused.push(`${method} ${path} ${body}: ${answer.text}`);
    if (problem !== undefined && answer.status < 400) wronglyTaken.push(`${method} ${path} ${body}: ${problem}`);
    const key = `${operation.operationId} ${answer.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  });
  expect({ wronglyTaken, wronglyRefused }).toEqual({ wronglyTaken: [], wronglyRefused: [] });
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
  expect([...statuses.keys()].filter((key) => key.startsWith('receive-hook '))).toEqual(['receive-hook 401']); // nobody signs
  statuses.delete('receive-hook 401'); // the next test signs
  const operationIds = new Set([...statuses.keys()].map((key) => key.split(' ')[0]));
  for (const id of operationIds) {
    const of = [...statuses].filter(([key]) => key.startsWith(`${id} `)).map(([key]) => Number(key.split(' ')[1]));
    expect([id, of.some((status) => status === 400 || status === 404), of.some((status) => status !== 400)]).toEqual([
      id,
      true,
      true,
    ]);
  }
});

test(`what the description takes for a webhook is one if it is signed, with any path, query, type and body (FUZZ_SEED=${seed})`, async () => {
  const secret = 'k6ZxVgkZrV7z1B3m5n7p9r1t3v5x7z9B';
  const { connectionId } = await connectPlatform('jitsi', { value: secret });
  const call = clientOf(organization());
  const webhook = fc.record({
    request: generatedRequest.filter(({ operation }) => operation.operationId === 'receive-hook'),
    body: fc.oneof(fc.json(), fc.constantFrom('', '{', 'null', '\ufeff{}', '\u0000'), fc.string()),
    type: fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x/y; charset=z'),
  });
  const statuses = new Set<number>();
  await inParallel(fc.sample(webhook, { seed, numRuns: 60 }), 2, async ({ request, body, type }) => {
    const path = request.path.replace(/^(\/v1\/hooks\/)[^/]+/, `$1${connectionId}`);
    const headers = { 'content-type': type, authorization: `Bearer ${secret}` };
    const { status } = await call('POST', path, { headers, body });
    expect([path, body, status]).toEqual([path, body, isJson(body) ? 200 : 400]);
    expect((await call('POST', path, { headers: { ...headers, authorization: 'Bearer wrong' }, body })).status).toBe(
      401,
    );
    statuses.add(status);
  });
  expect([...statuses].toSorted()).toEqual([200, 400]);
});

/** UTF-8 with or without its mark, as `TextDecoder` reads it. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}
