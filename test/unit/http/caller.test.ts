import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callerOf } from '#shared/http/caller.ts';
import { NoOrganization, Unauthorized } from '#shared/runtime/errors.ts';
import { httpEvent } from '../../support/http/http-events.ts';

type Facts = Readonly<Record<string, unknown>>;

describe('the caller that our authorizer passes on', () => {
  const names = { organizationClaim: 'client_id' };
  const callerIn = (context: Facts) => callerOf(httpEvent({ context }), names);

  test('is a machine without a person', () => {
    expect(callerIn({ client_id: 'acme' })).toEqual({ organizationId: 'acme' });
  });

  test.each(['reader', 'editor'])('is a person with the role %s', (role) => {
    expect(callerIn({ client_id: 'acme', personId: 'p-1', role })).toEqual({
      organizationId: 'acme',
      person: { personId: 'p-1', role },
    });
  });

  test.each<Facts>([
    { membershipRefusal: 'none' },
    { membershipRefusal: 'several', client_id: 'acme', personId: 'p-1', role: 'editor' },
    { client_id: 'acme', personId: 'p-1' },
    { client_id: 'acme', role: 'editor' },
    { client_id: 'acme', personId: 'p-1', role: 'owner' },
    { client_id: 'acme', personId: 7, role: 'editor' },
    { client_id: 'acme', personId: '', role: '' },
  ])('is never a machine or an editor if it is a person without a clear role: %j', (context) => {
    expect(() => callerIn(context)).toThrow(NoOrganization);
  });

  test('is nobody if the token was refused, whatever else is passed on', () => {
    const context = {
      tokenRefusal: 'expired',
      membershipRefusal: 'none',
      client_id: 'acme',
      personId: 'p',
      role: 'editor',
    };
    expect(() => callerIn(context)).toThrow(Unauthorized);
  });

  describe('minutes ago, while the gateway keeps it,', () => {
    const expiry = 1_800_000_000;
    const of = { client_id: 'acme', tokenExpiry: String(expiry) };
    beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
    afterEach(() => vi.useRealTimers());

    test('is known until its token expires', () => {
      vi.setSystemTime(expiry * 1000);
      expect(callerIn(of)).toEqual({ organizationId: 'acme' });
      expect(() => callerIn({ ...of, membershipRefusal: 'none' })).toThrow(NoOrganization);
    });

    test.each<Facts>([
      of,
      { ...of, personId: 'p-1', role: 'editor' },
      { tokenExpiry: of.tokenExpiry, membershipRefusal: 'none' },
      { ...of, tokenExpiry: 'soon' },
      { ...of, tokenExpiry: '' },
    ])('is nobody afterwards: %j', (context) => {
      vi.setSystemTime(expiry * 1000 + 1);
      expect(() => callerIn(context)).toThrow('The access token is not valid (expired). Request a new one.');
    });
  });

  test('is no person of an organization that is not valid', () => {
    expect(() => callerIn({ client_id: 'a b', personId: 'p-1', role: 'editor' })).toThrow(Unauthorized);
  });

  test('is told by the context and not by settings of an own issuer', () => {
    const context = { client_id: 'acme', tier: 'reader', sub: 'p-1' };
    const event = httpEvent({ context });
    expect(callerOf(event, { ...names, roleClaim: 'tier', consoleClientId: 'acme' })).toEqual({
      organizationId: 'acme',
    });
  });
});

describe('the caller of a token of an own issuer', () => {
  const names = { organizationClaim: 'custom:tenant', roleClaim: 'custom:role', consoleClientId: 'console' };
  const callerIn = (claims: Facts, by: object = names) => callerOf(httpEvent({ claims }), { ...names, ...by });
  const machine = { 'custom:tenant': 'acme', sub: 'service-1', client_id: 'batch' };
  const person = { ...machine, sub: 'anna-1', client_id: 'console', 'custom:role': 'reader' };

  test('is a machine without the claim of the role', () => {
    expect(callerIn(machine)).toEqual({ organizationId: 'acme' });
  });

  test('is a person with the claim, by any client', () => {
    const expected = { organizationId: 'acme', person: { personId: 'anna-1', role: 'reader' } };
    expect(callerIn(person)).toEqual(expected);
    expect(callerIn({ ...person, client_id: 'another' })).toEqual(expected);
  });

  test('is always a machine in a stage without the setting', () => {
    expect(callerIn(person, { roleClaim: undefined, consoleClientId: undefined })).toEqual({ organizationId: 'acme' });
  });

  test('is a machine if only our own fields name a person', () => {
    expect(callerIn({ ...machine, personId: 'p-1', role: 'reader' })).toEqual({ organizationId: 'acme' });
  });

  test.each<Facts>([
    { 'custom:role': 'owner' },
    { 'custom:role': '' },
    { 'custom:role': 'Editor' },
    { 'custom:role': '[editor]' },
    { 'custom:role': ['editor'] },
    { 'custom:role': null },
    { 'custom:tenant': undefined },
    { 'custom:tenant': '[acme other]' },
  ])('has no organization if it is a person with %j', (change) => {
    expect(() => callerIn({ ...person, ...change })).toThrow(NoOrganization);
  });

  test.each(['client_id', 'azp', 'appid', 'cid'])(
    'is never a machine if the console logged it in (%s), even without a role',
    (claim) => {
      const { client_id: __, 'custom:role': ___, ...others } = person;
      expect(() => callerIn({ ...others, [claim]: 'console' })).toThrow(NoOrganization);
      expect(callerIn({ ...others, [claim]: 'batch' })).toEqual({ organizationId: 'acme' });
    },
  );

  test.each([undefined, '', 7])('is nobody if it is a person whose sub is %j', (sub) => {
    expect(() => callerIn({ ...person, sub })).toThrow(Unauthorized);
  });

  test('has a hash instead of an id that may be an e-mail address, or is too long for counters and logs', () => {
    const idOf = (sub: string) => callerIn({ ...person, sub }).person?.personId;
    expect(idOf('auth0|65f0c1')).toBe('auth0|65f0c1');
    const hashed = ['anna@example.com', 'ANNA@example.com', 'a'.repeat(300), 'a:b'].map(idOf);
    for (const id of hashed) expect(id).toMatch(/^sha256-[\w-]{43}$/);
    expect(new Set(hashed).size).toBe(4);
    expect(idOf('anna@example.com')).toBe(hashed[0]);
  });
});
