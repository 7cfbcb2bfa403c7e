import { expect, inject, test } from 'vitest';
import { documentedRequests } from '../support/documented-requests.ts';
import { measuredRequests } from '../support/requests/measured-requests.ts';

test('a request of each operation consumes what docs/access-patterns.md states', async () => {
  expect(await measuredRequests(inject('machine').assembly)).toEqual(await documentedRequests());
});
