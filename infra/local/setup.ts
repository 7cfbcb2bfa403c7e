import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findProgram } from './transcribe/find-program.ts';
import { findRecognizer } from './transcribe/recognizer.ts';

// Installs what npm cannot: the speech recognizer and its English model. Run by `npm run setup`; does nothing
// where they are there already, and says exactly what to install where it cannot do so itself.

const PACKAGES = ['pocketsphinx', 'pocketsphinx-en-us'];
const ENGLISH_MODEL = '/usr/share/pocketsphinx/model/en-us';

const BY_HAND = `Install PocketSphinx and its US English model so that pocketsphinx_continuous or pocketsphinx is on the PATH:
  Debian, Ubuntu:  apt-get install ${PACKAGES.join(' ')}
  Fedora:          dnf install pocketsphinx pocketsphinx-models
  macOS:           brew install cmu-pocketsphinx
  others:          build version 5 from https://github.com/cmusphinx/pocketsphinx (it brings its model)
Then run npm run setup again.`;

const searchPath = process.env.PATH ?? '';
const isDone = setUpRecognizer();
checkFfmpeg();
checkDynamoDb();
process.exitCode = isDone ? 0 : 1;

function setUpRecognizer(): boolean {
  const aptGet = findProgram('apt-get', searchPath);
  if (isRecognizerReady(aptGet !== undefined)) {
    say('The speech recognizer is installed: nothing to do.');
    return true;
  }
  if (aptGet === undefined) {
    complain(`The speech recognizer is missing and there is no apt-get here to install it.\n${BY_HAND}`);
    return false;
  }
  const prefix = privilegePrefix();
  if (prefix === undefined) {
    complain(
      `The speech recognizer is missing. Run this as root, then npm run setup again:\n  apt-get install ${PACKAGES.join(' ')}`,
    );
    return false;
  }
  return install([...prefix, aptGet]);
}

/** On Debian the model is a package of its own; elsewhere it comes with the program. */
function isRecognizerReady(isDebian: boolean): boolean {
  return findRecognizer(searchPath) !== undefined && (!isDebian || existsSync(ENGLISH_MODEL));
}

/** What to put before apt-get: nothing for root, sudo for others, undefined where there is no sudo. */
function privilegePrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const sudo = findProgram('sudo', searchPath);
  // sudo drops the environment, so apt-get is told through env not to ask questions.
  return sudo === undefined ? undefined : [sudo, 'env', 'DEBIAN_FRONTEND=noninteractive'];
}

function install(aptGet: string[]): boolean {
  const attempt = (): boolean => run([...aptGet, 'install', '-y', '--no-install-recommends', ...PACKAGES]);
  say(`Installing the speech recognizer: ${PACKAGES.join(', ')}.`);
  // A fresh machine or image has no package lists, or old ones: the first attempt fails there.
  const isInstalled = attempt() || (run([...aptGet, 'update']) && attempt());
  if (isInstalled && isRecognizerReady(true)) {
    say('The speech recognizer is installed.');
    return true;
  }
  complain(`The speech recognizer could not be installed; what apt-get said stands above.\n${BY_HAND}`);
  return false;
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
