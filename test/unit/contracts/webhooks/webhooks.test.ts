import { describe, expect, test } from 'vitest';
import { CreateWebhook, RotateWebhookSecret, UpdateWebhook } from '#shared/contracts/webhooks/webhooks.ts';

const url = 'https://receiver.example/';
const messageOf = (outcome: { readonly error?: { readonly issues: readonly { readonly message: string }[] } }) =>
  outcome.error?.issues[0]?.message;

describe('a webhook', () => {
  test('is created for all types by null, too', () => {
    expect(CreateWebhook.parse({ url, types: null }).types).toBeNull();
  });

  test.each([
    ['created', CreateWebhook],
    ['changed', UpdateWebhook],
  ])('is not %s without types, and the message says how to get all', (_, schema) => {
    expect(messageOf(schema.safeParse({ url, types: [] }))).toBe('must name at least one type, or be null for all');
  });

  test('may have a space in its url as far as the contract says, because a function says why it is refused', () => {
    expect(CreateWebhook.safeParse({ url: 'https://receiver.example/a b' }).success).toBe(true);
    expect(CreateWebhook.safeParse({ url: 'ftp://receiver.example/' }).success).toBe(false);
  });
});

test.each([-1, 604_801])('%i seconds are no time for which a secret stays valid', (previousValidForSeconds) => {
  const message = messageOf(RotateWebhookSecret.safeParse({ previousValidForSeconds }));
  expect(message).toBe('must be from 0 to 604800');
});
