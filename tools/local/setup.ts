import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { errorMessage } from '../shared/error-details.ts';
import { findChromium } from './chromium.ts';
import { findProgram } from './transcribe/find-program.ts';
import { findRecognizer } from './transcribe/recognizer.ts';

// Installs what npm cannot: the speech recognizer and its English model; with --tests also the browser of the tests.
// Run by `npm run setup`; does nothing where they are there already, and says exactly what to install where it cannot
// do so itself.

/** A program that npm cannot install. */
type Need = {
  /** How messages name it, in the middle of a sentence. */
  readonly name: string;
  /** Debian's packages of it. */
  readonly packages: readonly string[];
  readonly isReady: (isDebian: boolean) => boolean;
  /** What a person has to do where there is no Debian. */
  readonly byHand: string;
};

const usage = `npm run setup [-- --tests]

Installs the speech recognizer; with --tests also Chromium, in which npm test looks at the page of the API, and curl,
by which it runs the commands of the documents.`;
const englishModel = '/usr/share/pocketsphinx/model/en-us';
const searchPath = process.env.PATH ?? '';
const aptGet = findProgram('apt-get', searchPath);

const recognizer: Need = {
  name: 'speech recognizer',
  packages: ['pocketsphinx', 'pocketsphinx-en-us'],
  // On Debian the model is a package of its own; elsewhere it comes with the program.
  isReady: (isDebian) => findRecognizer(searchPath) !== undefined && (!isDebian || existsSync(englishModel)),
  byHand: `Install PocketSphinx and its US English model so that pocketsphinx_continuous or pocketsphinx is on the PATH:
  Debian, Ubuntu:  apt-get install pocketsphinx pocketsphinx-en-us
  Fedora:          dnf install pocketsphinx pocketsphinx-models
  macOS:           brew install cmu-pocketsphinx
  others:          build version 5 from https://github.com/cmusphinx/pocketsphinx (it brings its model)`,
};

const browser: Need = {
  name: 'browser of the tests',
  packages: ['chromium'],
  isReady: () => findChromium(searchPath) !== undefined,
  byHand: `Install Chromium so that chromium or chromium-browser is on the PATH:
  Debian:  apt-get install chromium
  Fedora:  dnf install chromium`,
};

const curl: Need = {
  name: 'curl of the tests',
  packages: ['curl'],
  isReady: () => findProgram('curl', searchPath) !== undefined,
  byHand: 'Install curl: the tests run the commands of the documents.',
};

const needs = readNeeds();
const isDone = needs?.map((need) => setUp(need)).every(Boolean) ?? false;
if (isDone && needs?.length !== 0) {
  checkFfmpeg();
  checkDynamoDb();
}
process.exitCode = isDone ? 0 : 1;

/** What was asked for, nothing for help; undefined, and said, for a flag that is unknown. */
function readNeeds(): Need[] | undefined {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { tests, help } = parseArgs({ options: { tests: flag, help: flag } }).values;
    if (help) {
      say(usage);
      return [];
    }
    return tests ? [recognizer, browser, curl] : [recognizer];
  } catch (error) {
    complain(`${errorMessage(error)}\n\n${usage}`);
    return undefined;
  }
}

function setUp(need: Need): boolean {
  const again = 'run this setup again';
  if (need.isReady(aptGet !== undefined)) {
    say(`The ${need.name} is installed: nothing to do.`);
    return true;
  }
  if (aptGet === undefined) {
    complain(`The ${need.name} is missing and there is no apt-get here to install it.\n${need.byHand}\nThen ${again}.`);
    return false;
  }
  const prefix = privilegePrefix();
  if (prefix === undefined) {
    const command = `apt-get install ${need.packages.join(' ')}`;
    complain(`The ${need.name} is missing. Run this as root, then ${again}:\n  ${command}`);
    return false;
  }
  if (install(need, [...prefix, aptGet])) return true;
  complain(`The ${need.name} could not be installed; what apt-get said stands above.\n${need.byHand}\nThen ${again}.`);
  return false;
}

/** What to put before apt-get: nothing for root, sudo for others, undefined where there is no sudo. */
function privilegePrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const sudo = findProgram('sudo', searchPath);
  // sudo drops the environment, so apt-get is told through env not to ask questions.
  return sudo === undefined ? undefined : [sudo, 'env', 'DEBIAN_FRONTEND=noninteractive'];
}

function install({ name, packages, isReady }: Need, command: string[]): boolean {
  const attempt = (): boolean => run([...command, 'install', '-y', '--no-install-recommends', ...packages]);
  say(`Installing the ${name}: ${packages.join(', ')}.`);
  // A fresh machine or image has no package lists, or old ones: the first attempt fails there.
  const isInstalled = attempt() || (run([...command, 'update']) && attempt());
  if (!isInstalled || !isReady(true)) return false;
  say(`The ${name} is installed.`);
  return true;
}

function run([command = '', ...args]: string[]): boolean {
  say(`> ${[command, ...args].join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

function checkFfmpeg(): void {
  if (findProgram('ffmpeg', searchPath) === undefined) {
    say('ffmpeg is not installed. It is optional: without it only WAV recordings are transcribed on this machine.');
  }
}

function checkDynamoDb(): void {
  try {
    createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  } catch {
    say(
      'There is no DynamoDB program for this platform in node_modules: start a DynamoDB endpoint such as DynamoDB Local and run npm start -- --dynamodb-url URL.',
    );
  }
}

function say(text: string): void {
  console.log(text);
}

function complain(text: string): void {
  console.error(text);
}
