import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { replayFolder } from '../faults/harness/settings.ts';

const files = globSync('.github/workflows/*.yml').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found);

describe.each(files)('$file', ({ text }) => {
  test('pins each action to a commit and names its version in a comment', () => {
    const used = matches(text, /^\s*(?:- )?uses: (.+)$/gm);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('does not persist the token in the checkout', () => {
    expect(matches(text, /(persist-credentials: false)/g)).toHaveLength(matches(text, /(actions\/checkout@)/g).length);
  });

  test('has no permissions by default and grants write access to one job only', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    const jobs = text
      .slice(text.indexOf('\njobs:'))
      .split(/^ {2}(?=[a-z-]+:$)/m)
      .slice(1);
    expect(jobs).not.toEqual([]);
    const granted = jobs.map((job) => matches(job, /^ {4}permissions:\n((?: {6}.+\n)+)/gm).map((each) => each?.trim()));
    expect(granted.filter((each) => String(each) !== 'contents: read')).toEqual(
      text.includes('gh release create') ? [['contents: write']] : [],
    );
  });

  test('runs no npm package in a job with write access', () => {
    for (const job of text.split(/^ {2}(?=[a-z-]+:$)/m).filter((each) => each.includes('contents: write')))
      expect(job).not.toMatch(/npm (ci|install|run|test|exec)|npx|\.ci\/run/);
  });
});

test('every night plays random faults and keeps the history that breaks an invariant', () => {
  const nightly = readFileSync('.github/workflows/nightly.yml', 'utf8');
  expect(nightly).toMatch(/^ {4}- cron: /m);
  expect(nightly).toMatch(/npm run faults -- --count \d{5}/);
  expect(nightly).toContain(`path: ${replayFolder}/`);
});

test('every night sends more generated requests than a run of all tests', () => {
  const nightly = readFileSync('.github/workflows/nightly.yml', 'utf8');
  expect(nightly).toMatch(/npm test -- test\/integration\/generated-requests$/m);
  expect(nightly).toMatch(/FUZZ_REQUESTS: \d{5}$/m);
});

test('a release contains a software bill of materials', () => {
  const release = readFileSync('.github/workflows/release.yml', 'utf8');
  const [file] = matches(release, /npm sbom .*> (\S+)$/gm);
  expect(file).toBeDefined();
  expect(release).toMatch(new RegExp(`gh release create .* ${file}$`, 'm'));
});

test('a release contains the package, which is built in a job without write access', () => {
  const release = readFileSync('.github/workflows/release.yml', 'utf8');
  const [built = '', released = ''] = release.split(/^ {2}release:$/m);
  expect(built).toMatch(
    /npm run build -- --repository "\$GITHUB_SERVER_URL\/\$GITHUB_REPOSITORY" && npm pack \.\/dist$/m,
  );
  for (const job of [built, released]) expect(job).toMatch(/name: package$/m);
  expect(released).toMatch(/gh release create .* roomscribe-\*\.tgz /);
});

test.each(['ci.yml', 'release.yml'])('%s runs both gates', (file) => {
  const run = matches(readFileSync(`.github/workflows/${file}`, 'utf8'), /- run: (\.ci\/\S+)$/gm);
  expect(run).toEqual(['.ci/run', '.ci/long']);
});

test.each(['ci.yml', 'release.yml'])('%s runs the gate that mounts a disk in a container that may', (file) => {
  const jobs = readFileSync(`.github/workflows/${file}`, 'utf8').split(/^ {2}(?=[a-z-]+:$)/m);
  const gate = jobs.find((job) => job.includes('- run: .ci/run\n'));
  expect(gate).toMatch(/^ {4}container:\n {6}image: .+\n {6}options: --privileged/m);
});

test('every night tries the newest generators of clients', () => {
  const [, job] = readFileSync('.github/workflows/nightly.yml', 'utf8').split(/^ {2}newest-generators:$/m);
  expect(job).toMatch(/run: npm run generated-clients\n {8}env:\n {10}GENERATORS: newest$/m);
});
