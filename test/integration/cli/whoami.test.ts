import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { commandLine, commandLineOf, loginOptions } from '../../support/client/command-line.ts';
import { signedToken } from '../../support/http/signed-tokens.ts';
import { endpoints, organization, token } from '../../support/machine.ts';

const { apiUrl } = endpoints;

test('shows the profile, the API, the organization and the expiry, and never the token', async () => {
  const acme = organization();
  const { run } = await commandLine();
  await run(['login', '-p', 'dev', ...loginOptions(acme), '--client-secret-stdin'], { stdin: 'local' });
  const jwt = await token(acme);

  const shown = await run(['whoami']);
  const printed = await run(['whoami', '--json']);

  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^Profile {8}dev\nAPI URL {8}http.*\nOrganization {3}\S+\nToken expires {2}2\S+Z\n$/);
  expect(JSON.parse(printed.stdout)).toEqual({
    ...{ profile: 'dev', apiUrl, organization: acme, expiresAt: expect.stringMatching(/Z$/) },
  });
  for (const part of jwt.split('.')) expect(shown.stdout + printed.stdout).not.toContain(part);
});

test('reads a token of the environment, also an expired one of an own issuer', async () => {
  const acme = organization();
  const { run } = await commandLineOf(acme);
  const expired = await signedToken(acme, { claims: { exp: 1_700_000_000, 'https://example.com/org': 'north' } });
  const env = { ROOMSCRIBE_TOKEN: expired };

  const { stdout } = await run(['whoami', '--organization-claim', 'https://example.com/org'], { env });

  expect(stdout).toContain('(the environment)');
  expect(stdout).toMatch(/^Organization {3}north\nToken expires {2}2023-11-14T22:13:20\.000Z \(expired\)$/m);
  expect(decodeJwt(expired).exp).toBe(1_700_000_000);
  expect((await run(['whoami', '--organization-claim', 'org'], { env })).stderr).toContain('no claim "org"');
});

test('says that it cannot read a token that is not a JWT', async () => {
  const { run, profilesFile } = await commandLine();
  await mkdir(path.dirname(profilesFile), { recursive: true });
  const profiles = { dev: { apiUrl, token: 'an-opaque-token' } };
  await writeFile(profilesFile, JSON.stringify({ current: 'dev', profiles }));

  const { code, stdout, stderr } = await run(['whoami']);

  expect([code, stderr]).toEqual([0, 'The token is not a JWT, so its claims cannot be read.\n']);
  expect(stdout).toMatch(/^Organization {3}-\nToken expires {2}-$/m);
  expect(stdout + stderr).not.toContain('an-opaque-token');
});
