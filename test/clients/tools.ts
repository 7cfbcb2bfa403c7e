import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run, succeed } from '../support/client/run-program.ts';

/** The folder of downloaded tools, which later runs use again. */
const cache = path.resolve('node_modules/.cache/generated-clients');

/** `GENERATORS=newest` takes the newest version of each tool that its registry serves, instead of the pinned one. */
export const isNewest = process.env.GENERATORS === 'newest';
const suffix = isNewest ? '-newest' : '';
/** A package of npm in the version that is tried. `newest` bounds the newest one if another tool needs that. */
const ofNpm = (name: string, pinned: string, newest = 'latest') => `${name}@${isNewest ? newest : pinned}`;

const generatorVersion = '7.25.0';
const generatorSha256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
/** https://pkg.go.dev/github.com/oapi-codegen/oapi-codegen/v2 */
export const oapiCodegen = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${isNewest ? 'latest' : 'v2.8.2'}`;

/** What the clients need, with the arguments that print its version and its packages on Debian. */
const required = [
  ['java', ['-version'], 'default-jdk-headless'],
  ['javac', ['-version'], 'default-jdk-headless'],
  ['mvn', ['--version'], 'maven'],
  ['python3', ['-c', 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))'], 'python3 python3-venv'],
  ['go', ['version'], 'golang-go, or Go 1.24 or newer from https://go.dev/dl'],
] as const;

/** Throws if a program is missing. A missing program never makes a test skip. */
export async function assertPrograms(): Promise<void> {
  const checked = await Promise.all(
    required.map(async ([program, args, packages]) => ({
      ended: await run(program, args, { folder: '.' }),
      hint: `${program} (on Debian: ${packages})`,
    })),
  );
  const missing = checked.filter(({ ended }) => ended.code !== 0).map(({ hint }) => hint);
  if (missing.length > 0) throw new Error(`These programs are missing, or too old: ${missing.join('; ')}.`);
}

/** openapi-generator from Maven Central. Returns the path of its jar. The hash of the pinned one is checked. */
export async function openapiGenerator(): Promise<string> {
  const jar = path.join(cache, `generator${suffix}/openapi-generator-cli.jar`);
  if (isNewest || !(await isGenerator(jar))) {
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    const artifact = `org.openapitools:openapi-generator-cli:${isNewest ? 'RELEASE' : generatorVersion}`;
    const to = [`-DoutputDirectory=${path.dirname(jar)}`, '-Dmdep.stripVersion=true', '-Dmdep.overWriteReleases=true'];
    await mkdir(cache, { recursive: true });
    await succeed('mvn', ['-q', '-B', copy, `-Dartifact=${artifact}`, ...to], { folder: cache });
    if (!isNewest && !(await isGenerator(jar))) throw new Error(`${jar} does not have the expected hash.`);
  }
  return jar;
}

async function isGenerator(file: string): Promise<boolean> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === generatorSha256;
}

/** A virtual environment with the packages that a file pins. Returns the folder of its programs. */
export async function pythonPrograms(): Promise<string> {
  const folder = path.join(cache, `python${suffix}`);
  const programs = path.join(folder, 'bin');
  await succeed('python3', ['-m', 'venv', folder], { folder: '.' });
  const pinned = [
    '--require-hashes',
    '--only-binary',
    ':all:',
    '-r',
    path.resolve('test/clients/python/requirements.txt'),
  ];
  const named = await readFile('test/clients/python/requirements.in', 'utf8');
  const packages = isNewest ? ['--upgrade', ...named.trim().replaceAll(/==.*/g, '').split('\n')] : pinned;
  await succeed(
    path.join(programs, 'python'),
    ['-m', 'pip', 'install', '--disable-pip-version-check', '-q', ...packages],
    {
      folder: '.',
    },
  );
  return programs;
}

/** openapi-typescript does not work with the version of TypeScript that this repository uses: it asks for version 5. */
export const typescriptPackages = [
  ofNpm('openapi-typescript', '7.13.0'),
  ofNpm('openapi-fetch', '0.17.0'),
  ofNpm('typescript', '5.9.3', '5'),
  ofNpm('@types/node', '24.19.2'),
];
/** oazapfts in its newest version. The pinned one is that of this repository. */
export const newestOazapfts = ['oazapfts', '@oazapfts/runtime', 'typescript', '@types/node'].map(
  (name) => `${name}@latest`,
);
/** Programs that judge descriptions, and no part of this repository uses. */
export const linters = [
  ofNpm('@stoplight/spectral-cli', '6.16.3'),
  ofNpm('@redocly/cli', '2.77.0'),
  ofNpm('@asyncapi/parser', '3.6.3'),
];

/** Packages of npm in a folder of their own, without running their scripts. Returns its `node_modules`. */
export async function npmPackages(name: string, packages: readonly string[]): Promise<string> {
  const folder = path.join(cache, `${name}${suffix}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const { NODE_EXTRA_CA_CERTS } = process.env; // of a proxy
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...packages];
  await succeed('npm', install, { folder, env: { NODE_EXTRA_CA_CERTS } });
  return path.join(folder, 'node_modules');
}
