import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { openApi } from '#tools/description/openapi.ts';
import { selfAuthenticatedOperations } from '#tools/description/self-authenticated-operations.ts';
import { receiveHook, receiveHookTexts } from '../../support/webhooks/sample-hook.ts';

const product = { version: '1.0.0', license: 'Apache-2.0' };
// The description has no named schema for the body of the sample, so the body is left out.
const { body: _, ...endpoint } = receiveHook;
const document = JSON.parse(
  JSON.stringify(openApi(product, [...selfAuthenticatedOperations, { endpoint, texts: receiveHookTexts }])),
);
const operation = document.paths['/v1/hooks/{connectionId}'].post;
const answerOf = (status: number) => document.components.responses[operation.responses[status].$ref.split('/').at(-1)];

test('a self-authenticated operation has its own security scheme', () => {
  expect(operation.security).toEqual([{ platformSignature: [] }]);
  expect(document.components.securitySchemes.platformSignature).toEqual(receiveHookTexts.security?.scheme);
  expect(document.security).toEqual([{ accessToken: [] }]);
});

test('a self-authenticated operation costs no points, and its responses have no headers about points', () => {
  expect(operation).not.toHaveProperty('x-rate-limit-points');
  expect(operation.description).toContain('At most 3 requests a minute.');
  for (const status of [202, 400, 429, 500]) {
    const answer = status === 202 ? operation.responses[status] : answerOf(status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  }
  expect(answerOf(429).headers).toHaveProperty('retry-after');
});

test('a self-authenticated operation has its own error texts, and other operations keep theirs', () => {
  expect(answerOf(401).description).toContain('the signature is missing or wrong');
  expect(answerOf(429).description).toContain('more than 3 requests in this minute');
  const own = JSON.stringify(document.paths['/v1/hooks/{connectionId}']);
  const { paths, components } = JSON.parse(JSON.stringify(openApi(product)));
  for (const [path, described] of Object.entries(paths)) expect(document.paths[path]).toEqual(described);
  for (const [name, response] of Object.entries(components.responses)) {
    expect(document.components.responses[name]).toEqual(response);
  }
  expect(own).toContain('ReceiveSampleHookRateLimited');
});

test('an operation that the path authenticates has no security scheme, and HEAD is an operation of its own', () => {
  const { get, head } = document.paths['/v1/links/{token}'];
  expect([get.security, head.security]).toEqual([[], []]);
  expect(head).toEqual({ ...get, operationId: 'follow-access-link-head' });
});

test('a description with a self-authenticated operation passes the recommended lint rules', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-invalid-media-type-examples': 'error' } });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});
