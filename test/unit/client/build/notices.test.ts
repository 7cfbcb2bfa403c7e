import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thirdPartyNotices } from '#client/build/notices.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'roomscribe-notices-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Installs a package with these files. */
async function install(folder: string, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path.join(root, folder), { recursive: true });
  const manifest = JSON.stringify({ name, version: '1.2.3', license: 'MIT' });
  for (const [file, text] of Object.entries({ 'package.json': manifest, ...files })) {
    await writeFile(path.join(root, folder, file), text);
  }
}

test('the notices list every package once with all of its terms, sorted by name', async () => {
  await install('node_modules/b', 'b', { license: 'terms of b\n', 'NOTICE.txt': 'notice of b' });
  await install('node_modules/b/node_modules/@a/a', '@a/a', { 'LICENCE.md': 'terms of a' });

  const files = [
    'client/cli/main.ts',
    'node_modules/b/index.js',
    'node_modules/b/lib/more.js',
    'node_modules/b/node_modules/@a/a/index.js',
  ];
  const notices = thirdPartyNotices(root, files, 'a.js holds');

  expect(notices).toMatch(/^a\.js holds the packages below, /);
  const rule = '-'.repeat(80);
  expect(notices.slice(notices.indexOf(rule))).toBe(
    `${rule}\n@a/a 1.2.3 (MIT)\n\nterms of a\n\n${rule}\nb 1.2.3 (MIT)\n\nnotice of b\n\nterms of b\n`,
  );
});

test.each([{}, { NOTICE: 'a notice is no licence' }, { 'licensed.js': '' }])(
  'the notices reject a package without a licence text: %j',
  async (files) => {
    await install('node_modules/c', 'c', files);
    expect(() => thirdPartyNotices(root, ['node_modules/c/index.js'], 'It holds')).toThrow(
      /^c publishes no licence text/,
    );
  },
);

test('the notices contain our copy of a text that its package does not publish', async () => {
  await install('node_modules/imurmurhash', 'imurmurhash', {});
  expect(thirdPartyNotices(root, ['node_modules/imurmurhash/a.js'], 'It holds')).toContain(
    'Copyright (c) 2013 Gary Court',
  );
});
