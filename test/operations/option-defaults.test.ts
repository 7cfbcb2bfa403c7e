import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { openStores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { endpoints, organization } from '../support/machine.ts';
import { fakeCloudFormation, fakeCognito } from '../support/operations/fake-cognito.ts';

const dataDir = await mkdtemp(path.join(inject('machine').temporaryFolder, 'defaults-'));
await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify(endpoints));

const run = (...args: readonly string[]) =>
  runOrganization([...args, '--data-dir', dataDir], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', {}),
    cognito: fakeCognito().cognito,
    openStores,
    terminal: { show: () => {}, end: () => {}, print: () => {} },
    askSecret: async () => undefined,
  });

test('defaults of an organization are set, shown, changed one by one, and removed', async () => {
  const acme = organization();
  expect(await run('defaults', acme)).toContain('It has no defaults of its own');
  await run(
    'defaults',
    acme,
    '--set',
    'language=en-US',
    '--set',
    'redact=NAME,PHONE',
    '--set',
    'vocabularyFilter=a:tag',
  );
  await run('defaults', acme, '--set', 'maxSpeakers=4', '--set', 'vocabularyFilter=');
  const shown = await run('defaults', acme);
  for (const text of [/language +"en-US"/, /redact +{"types":\["NAME","PHONE"\]}/, /maxSpeakers +4/])
    expect(shown).toMatch(text);
  expect(shown).not.toContain('vocabularyFilter');
  await expect(run('defaults', acme, '--set', 'language=nl-NL')).rejects.toThrow(
    'Nothing was changed.\nredact needs one of these codes in language',
  );
  expect(await run('defaults', acme)).toBe(shown);
  expect(await run('defaults', acme, '--clear')).toContain('It has no defaults of its own');
});

test('an erasure of the organization removes its defaults', async () => {
  const acme = organization();
  await run('defaults', acme, '--set', 'maxSpeakers=4');
  expect(await run('erase', acme, '--yes')).toMatch(/rows of recordings +1/);
  expect(await run('defaults', acme)).toContain('It has no defaults of its own');
});
