import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installedPackage } from '../../support/client/package.ts';
import { run, succeed } from '../../support/client/run-program.ts';
import { blocksOf } from '../../support/docs/documents.ts';
import { endpoints, organization } from '../../support/machine.ts';
import { finishRecording, shortWav } from '../../support/media/recordings.ts';

const root = process.cwd();
const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [] as string[],
  typeRoots: [path.join(root, 'node_modules/@types')],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  verbatimModuleSyntax: true,
  outDir: 'out',
  rootDir: '.',
};

let folder = '';
beforeAll(async () => {
  ({ folder } = await installedPackage());
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await cp(path.join(import.meta.dirname, 'project'), folder, { recursive: true });
});

/** The compiler's output for files of the project. Empty if they have no type errors. */
async function compile(files: readonly string[], options: object = {}): Promise<string> {
  const config = path.join(folder, `tsconfig.${crypto.randomUUID()}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions: { ...strict, noEmit: true, ...options }, files }));
  const { stdout, stderr } = await run(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { folder });
  return stdout + stderr;
}

describe('a program that uses every method compiles', () => {
  it.each([
    ['as a module of Node', {}],
    ['as a bundler sees it', { module: 'esnext', moduleResolution: 'bundler' }],
    ['where undefined is no value of an optional property', { exactOptionalPropertyTypes: true }],
    ['with the types of Node and without those of browsers', { lib: ['es2022'], types: ['node'] }],
  ])('%s', async (_, options) => {
    expect(await compile(['every-method.ts', 'wrong-uses.ts'], options)).toBe('');
  });
});

it('each wrong use fails to compile for its own reason', async () => {
  const uses = await readFile(path.join(folder, 'wrong-uses.ts'), 'utf8');
  const marks = uses.match(/@ts-expect-error/g) ?? [];
  await writeFile(path.join(folder, 'unmarked.ts'), uses.replaceAll('@ts-expect-error', ''));

  const errors = (await compile(['unmarked.ts'])).match(/^unmarked\.ts\(\d+/gm) ?? [];

  expect(new Set(errors).size).toBe(marks.length);
});

it('the compiled program calls every method of the client', async () => {
  const acme = organization();
  const { recordingId } = await finishRecording(acme, { body: shortWav });
  expect(await compile(['every-method.ts'], { noEmit: false })).toBe('');
  const places = [endpoints.apiUrl, endpoints.tokenUrl, acme];

  const { stdout } = await succeed(process.execPath, ['out/every-method.js', ...places, recordingId], { folder });

  expect(JSON.parse(stdout)).toEqual({
    states: ['ready'],
    named: 'Ada',
    same: [true, 'ready'],
    listed: [1, 2, 2, 2],
    link: [true, true, 'audio/wav'],
    downloads: [true, true, true],
    rows: [true, 2, 1, 0],
    notices: [1, true],
    webhooks: ['Mine', 'host_not_found', true, true, true],
    kept: [true, 'enabled', 'missing_header'],
    insights: true,
  });
  const { methods } = JSON.parse((await succeed(process.execPath, ['use.mjs', ...places], { folder })).stdout);
  const source = await readFile(path.join(folder, 'every-method.ts'), 'utf8');
  const unused = methods.filter((name: string) => name !== 'constructor' && !source.includes(`.${name}(`));
  expect(unused).toEqual([]);
});

it("the README's programs compile", async () => {
  const program = blocksOf('client/README.md', 'ts').join('\n');
  await writeFile(path.join(folder, 'readme.ts'), `declare const recordingId: string;\n${program}`);
  expect(await compile(['readme.ts'], { types: ['node'] })).toBe('');
});

it('the published types are equal to those of the contract', async () => {
  const names = [...(await readFile('client/types.ts', 'utf8')).matchAll(/^export type (\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(names).not.toEqual([]);
  const program = [
    `import type * as published from '${folder}/node_modules/roomscribe/client/types.js';`,
    `import type * as contract from '${root}/client/types.ts';`,
    'type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;',
    'const same = <_ extends true>() => {};',
    ...names.map((name) => `same<Same<published.${name}, contract.${name}>>();`),
    '// @ts-expect-error two different types',
    'same<Same<published.CreateTranscription, contract.GetParticipant>>();',
    '// @ts-expect-error two types that differ in an optional property',
    'same<Same<published.Transcription, Required<contract.Transcription>>>();',
  ];
  await writeFile(path.join(folder, 'same.ts'), program.join('\n'));
  const ofTheContract = { lib: ['es2024', 'dom'], allowImportingTsExtensions: true, rootDir: '/' };
  expect(await compile(['same.ts'], { ...ofTheContract, exactOptionalPropertyTypes: true })).toBe('');
});
