import { expect, test, vi } from 'vitest';
import { endpoints } from '#shared/contracts/endpoints.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { admission, httpEvent, type RequestFacts } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { uuid } from '../../support/operations/records.ts';

const params = { transcriptionId: uuid(1) };

async function ask(facts: RequestFacts) {
  captureLogLines();
  const handle = vi.fn(async (_request: unknown) => ({}));
  const handler = endpoint(endpoints.deleteTranscription, admission, handle);
  const answer = await runEndpoint(handler, httpEvent({ params, ...facts }));
  return { answer, handle };
}

test.each([
  ['missing', {}],
  ['empty', { client_id: '' }],
  ['a list in the form that the gateway writes', { client_id: '[a b]' }],
  ['two words', { client_id: 'a b' }],
  ['a path', { client_id: 'a/b' }],
  ['a key of another organization', { client_id: 'a#b' }],
  ['300 characters', { client_id: 'a'.repeat(300) }],
  ['a number', { client_id: 7 }],
  ['null', { client_id: null }],
  ['true', { client_id: true }],
  ['a real list', { client_id: ['acme'] }],
  ['an object', { client_id: { id: 'acme' } }],
  ['under another name', { sub: 'acme', organizationId: 'acme', Client_Id: 'acme' }],
])('a claim that is %s gives a 401, and the handler is not called', async (_name, claims) => {
  const { answer, handle } = await ask({ claims });
  expect(answer).toMatchObject({ statusCode: 401, body: { code: 'unauthorized' } });
  expect(answer.headers['www-authenticate']).toContain('Bearer');
  expect(handle).not.toHaveBeenCalled();
});

test.each([
  { tokenRefusal: 'expired' },
  { tokenRefusal: 'expired', client_id: 'acme' },
  { tokenRefusal: '', client_id: 'acme' },
])('a token that the authorizer refused gives a 401, and the handler is not called: %j', async (lambda) => {
  captureLogLines();
  const handle = vi.fn(async (_request: unknown) => ({}));
  const handler = endpoint(endpoints.deleteTranscription, admission, handle);
  const event = httpEvent({ params });
  event.requestContext = { ...event.requestContext, authorizer: { lambda } as never };
  const answer = await runEndpoint(handler, event);
  expect(answer).toMatchObject({ statusCode: 401, body: { code: 'unauthorized' } });
  expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  expect(handle).not.toHaveBeenCalled();
});

test('a request without an authorizer gives a 401', async () => {
  captureLogLines();
  const handle = vi.fn(async (_request: unknown) => ({}));
  const handler = endpoint(endpoints.deleteTranscription, admission, handle);
  const event = httpEvent({ params });
  const { authorizer: _, ...requestContext } = event.requestContext;
  const answer = await runEndpoint(handler, {
    ...event,
    requestContext: requestContext as typeof event.requestContext,
  });
  expect(answer.statusCode).toBe(401);
  expect(handle).not.toHaveBeenCalled();
});

test('a property that every object inherits is not a claim', async () => {
  captureLogLines();
  const handle = vi.fn(async (_request: unknown) => ({}));
  for (const claim of ['constructor', '__proto__', 'toString']) {
    const handler = endpoint(endpoints.deleteTranscription, { ...admission, organizationClaim: claim }, handle);
    expect((await runEndpoint(handler, httpEvent({ params }))).statusCode).toBe(401);
  }
  expect(handle).not.toHaveBeenCalled();
});

test("the organization comes from the claim that the stage's settings name", async () => {
  captureLogLines();
  const handle = vi.fn(async (_request: unknown) => ({}));
  const handler = endpoint(endpoints.deleteTranscription, { ...admission, organizationClaim: 'custom:tenant' }, handle);
  await runEndpoint(handler, httpEvent({ params, claims: { client_id: 'other', 'custom:tenant': 'acme' } }));
  expect(handle).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ organizationId: 'acme' }));
});

test.each([
  { headers: { 'x-tenant': 'other', 'x-organization-id': 'other', client_id: 'other', organizationid: 'other' } },
  { headers: { cookie: 'client_id=other' } },
])('an organization in %j is ignored', async (facts) => {
  const { answer, handle } = await ask(facts);
  expect(answer.statusCode).toBe(204);
  expect(handle).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ organizationId: 'acme' }));
});

test('an organization in the body is ignored', async () => {
  captureLogLines();
  const handle = vi.fn(async (_request: unknown) => ({}));
  const handler = endpoint(endpoints.createTranscription, admission, handle);
  const body = { recordingId: uuid(2), organizationId: 'other', client_id: 'other' };
  expect((await runEndpoint(handler, httpEvent({ body }))).statusCode).toBe(201);
  expect(handle).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      organizationId: 'acme',
      body: { recordingId: uuid(2) },
      params: undefined,
      query: undefined,
    }),
  );
});

test.each([
  { query: 'organizationId=other' },
  { query: 'client_id=other' },
  { params: { ...params, organizationId: 'other' } },
])('an organization in %j gives a 400 that names it', async (facts) => {
  const { answer, handle } = await ask(facts);
  expect(answer).toMatchObject({
    statusCode: 400,
    body: { issues: [{ message: expect.stringMatching(/^is not a known parameter/) }] },
  });
  expect(handle).not.toHaveBeenCalled();
});
