import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtConsole } from '#client/build/console.ts';
import { installedPackage, machinesNode } from '../../support/client/package.ts';
import { run, succeed } from '../../support/client/run-program.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { endpoints, organization } from '../../support/machine.ts';

const nodes = [machinesNode(), process.execPath].map((node) => {
  return { node, version: String(execFileSync(node, ['--version'])).trim() };
});
const acme = organization();
const session = liveSession(acme);

let [folder, tarball] = ['', ''];
beforeAll(async () => {
  ({ folder, tarball } = await installedPackage());
  await sendToRoomEvents([session.started()]);
  await cp(path.join(import.meta.dirname, 'project'), folder, { recursive: true });
  await known(acme, session.path);
});

/** The installed files of the package, by their names. */
async function installedFiles(): Promise<Readonly<Record<string, string>>> {
  const installed = path.join(folder, 'node_modules/roomscribe');
  const names = globSync('**/*.*', { cwd: installed });
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(installed, name), 'utf8')])),
  );
}

describe.each(nodes)('in Node.js $version', ({ node }) => {
  it('plain JavaScript can list and receives errors', async () => {
    const program = ['use.mjs', endpoints.apiUrl, endpoints.tokenUrl, acme];

    const { stdout, stderr } = await succeed(node, program, { folder });

    const { listed, refused } = JSON.parse(stdout);
    expect({ listed, refused, stderr }).toEqual({
      listed: [session.transcriptionId],
      refused: [true, 'transcription_not_found'],
      stderr: '',
    });
  });

  it('CommonJS can import and require the package', async () => {
    expect(await succeed(node, ['use.cjs', 'import'], { folder })).toMatchObject({ stdout: 'function\n', stderr: '' });
    expect(await succeed(node, ['use.cjs', 'require'], { folder })).toMatchObject({ stdout: 'function\n' });
  });

  it('CommonJS can require the package without support for ES modules', async () => {
    const older = ['--no-experimental-require-module', 'use.cjs', 'require'];
    expect(await succeed(node, older, { folder })).toMatchObject({ stdout: 'function\n', stderr: '' });
  });

  it.each(['import', 'require'])('a program can verify a webhook: %s', async (kind) => {
    expect(await succeed(node, ['verify.cjs', kind], { folder })).toMatchObject({
      stdout: '["webhook.test","wrong_signature",true]\n',
      stderr: '',
    });
  });

  it('the installed command runs', async () => {
    const program = path.join(folder, 'node_modules/.bin/roomscribe');
    const ended = await run(node, [program, '--version'], { folder });
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(version) });
  });
});

it('the package provides the command roomscribe', async () => {
  expect(await succeed(path.join(folder, 'node_modules/.bin/roomscribe'), ['--help'], { folder })).toMatchObject({
    stdout: expect.stringContaining('Usage: roomscribe'),
    stderr: '',
  });
});

it('the package has no dependencies', async () => {
  const { stdout } = await succeed('npm', ['ls', '--all', '--parseable'], { folder });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => path.relative(folder, line)),
  ).toEqual(['', 'node_modules/roomscribe']);
});

it('the package contains exactly the files that users need', async () => {
  const { stdout } = await succeed('tar', ['-tzf', tarball], { folder });
  const declarations = globSync('*.ts', { cwd: 'client' }).map((file) => file.replace(/\.ts$/, '.d.ts'));
  const library = ['index.js', 'receiver.js', ...declarations];
  const assets = globSync('assets/*', { cwd: await builtConsole() });
  const modules = [...library, ...[...library, 'package.json'].map((file) => `cjs/${file}`)];
  expect(stdout.trim().split('\n').toSorted()).toEqual(
    [
      'package.json',
      'README.md',
      'LICENSE',
      'THIRD-PARTY-NOTICES',
      'cli/main.js',
      ...['index.html', 'third-party-notices.txt', ...assets].map((file) => `cli/console/${file}`),
      'webhooks/package.json',
      ...modules.map((file) => `client/${file}`),
    ]
      .map((file) => `package/${file}`)
      .toSorted(),
  );
});

it('both kinds of modules have the same types', async () => {
  const files = await installedFiles();
  for (const [name, text] of Object.entries(files).filter(([name]) => /^client\/[^/]+\.d\.ts$/.test(name)))
    expect(files[name.replace('client/', 'client/cjs/')], name).toBe(text);
});

it('the package contains no build paths, no service code and no schemas', async () => {
  for (const [name, text] of Object.entries(await installedFiles())) {
    for (const place of [process.cwd(), homedir(), path.dirname(folder)])
      expect(text.includes(place), name).toBe(false);
    expect(text.match(/^\s*(\/\/ |")(shared|functions|infra|test|node_modules\/zod)\//m), name).toBeNull();
    if (name.startsWith('client/')) expect(text.match(/\bzod\b|\b(shared|functions|infra)\//i), name).toBeNull();
  }
});

it.each([
  ['index', 'Roomscribe'],
  ['receiver', 'verifyWebhook'],
])('the library is one file without imports, also of Node modules: %s', async (file, name) => {
  const { [`client/${file}.js`]: library = '' } = await installedFiles();
  expect(library.match(new RegExp(`^export \\{[^}]*\\b${name}\\b`, 'gm'))).toHaveLength(1);
  expect(library.match(/\bimport\s*[('"{*]|\bfrom\s*['"]|\brequire\b|\bprocess\.|\bBuffer\b|\bnode:/g)).toBeNull();
});

it('the package contains the terms of every package in the command line', async () => {
  const { 'cli/main.js': program = '', 'THIRD-PARTY-NOTICES': notices = '' } = {
    ...(await installedFiles()),
    'THIRD-PARTY-NOTICES': await readFile(path.join(folder, 'node_modules/roomscribe/THIRD-PARTY-NOTICES'), 'utf8'),
  };
  const packages = new Set(
    [...program.matchAll(/^\s*(?:\/\/ |"(?=node_modules))(.*node_modules\/((?:@[^/\s]+\/)?[^/\s]+))\//gm)].map(
      ([, , name]) => name,
    ),
  );
  expect(packages.size).toBeGreaterThan(3);
  for (const name of packages) expect(notices).toMatch(new RegExp(`^-{80}\\n${name} \\d.*\\(.+\\)\\n\\n\\S`, 'm'));
});

it('the console has the terms of its packages beside it', async () => {
  const { 'cli/console/third-party-notices.txt': notices = '' } = await installedFiles();
  expect(notices).toMatch(/^The console holds the packages below, /);
  for (const name of ['react', 'react-dom', '@tanstack/react-query', '@tanstack/react-router', 'oauth4webapi'])
    expect(notices).toMatch(new RegExp(`^-{80}\\n${name} \\d.*\\(MIT\\)\\n\\n\\S`, 'm'));
});

it('the console is built for users, also by a program with the environment of tests', async () => {
  const scripts = Object.entries(await installedFiles()).filter(([name]) =>
    /^cli\/console\/assets\/.*\.js$/.test(name),
  );
  expect(scripts.length).toBeGreaterThan(1);
  for (const [name, text] of scripts) expect(text, name).not.toMatch(/jsxDEV|react-dom-client\.development/);
});
