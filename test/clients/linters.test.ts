import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, succeed } from '../support/client/run-program.ts';
import { linters, npmPackages } from './tools.ts';

// What programs say of the descriptions that the tests of this repository do not use.

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-lint-'));
  await symlink(await npmPackages('linters', linters), path.join(folder, 'node_modules'));
  for (const file of ['openapi.json', 'asyncapi.json']) await copyFile(`docs/${file}`, path.join(folder, file));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('Spectral finds nothing but that we do not know the address of an operator', async () => {
  await writeFile(path.join(folder, 'rules.yaml'), 'extends: ["spectral:oas", "spectral:asyncapi"]\n');
  const lint = ['lint', '--ruleset', 'rules.yaml', '--format', 'json', '--quiet', 'openapi.json', 'asyncapi.json'];
  const { stdout, stderr } = await run('node_modules/.bin/spectral', lint, { folder });
  const found = JSON.parse(stdout || stderr).map(({ code }: { code: string }) => code);
  expect(found).toEqual(['asyncapi-info-contact-properties']);
});

test.each(['openapi.json', 'asyncapi.json'])('Redocly finds nothing in %s by its strictest rules', async (file) => {
  const lint = ['lint', '--extends=recommended-strict', '--format=json', file];
  const { stdout } = await succeed('node_modules/.bin/redocly', lint, {
    folder,
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  expect(JSON.parse(stdout).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("AsyncAPI's own parser reads the latest version, and finds nothing", async () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { Parser } from '@asyncapi/parser';
    const { document, diagnostics } = await new Parser().parse(readFileSync('asyncapi.json', 'utf8'));
    console.log(JSON.stringify({ version: document?.version(), found: diagnostics.map(({ message }) => message) }));
  `;
  await writeFile(path.join(folder, 'parse.mjs'), program);
  const { stdout } = await succeed(process.execPath, ['--preserve-symlinks', 'parse.mjs'], { folder });
  expect(JSON.parse(stdout)).toEqual({ version: '3.1.0', found: [] });
});
