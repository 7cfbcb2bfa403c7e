import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { builtConsole } from '#client/build/console.ts';
import { commandLine } from '../shared/command-line.ts';
import { errorMessage } from '../shared/error-details.ts';
import { runCommand } from '../shared/run-command.ts';
import { findChromium } from './chromium.ts';
import { findTutorialPython, pythonFolder, requirements } from './python/tutorial-python.ts';
import { findProgram } from './transcribe/media/find-program.ts';
import { findMediaPrograms } from './transcribe/media/media-programs.ts';
import { findRecognizer } from './transcribe/transcript/recognizer.ts';

// `npm run setup`: installs the programs that npm cannot install, and builds the console. Skips what is already there. If it cannot
// install a program, it prints the command that can.

/** A program that npm cannot install. */
type Program = {
  readonly name: string;
  /** Its packages in Debian. */
  readonly packages: readonly string[];
  readonly isInstalled: (isDebian: boolean) => boolean;
  /** Completes the program once its packages are there. Returns whether it succeeded. */
  readonly prepare?: () => boolean;
  /** How to install it without apt-get. */
  readonly instructions: string;
};

const englishModel = '/usr/share/pocketsphinx/model/en-us';
const searchPath = process.env.PATH ?? '';
const aptGet = findProgram('apt-get', searchPath);
const thenRepeat = 'Then run npm run setup again.';

const recognizer: Program = {
  name: 'PocketSphinx',
  packages: ['pocketsphinx', 'pocketsphinx-en-us'],
  // In Debian the model is a separate package. Elsewhere it comes with the program.
  isInstalled: (isDebian) => findRecognizer(searchPath) !== undefined && (!isDebian || existsSync(englishModel)),
  instructions: `Install PocketSphinx and its US English model so that pocketsphinx_continuous or pocketsphinx is on the PATH:
  Debian, Ubuntu:  apt-get install pocketsphinx pocketsphinx-en-us
  Fedora:          dnf install pocketsphinx pocketsphinx-models
  macOS:           brew install cmu-pocketsphinx
  others:          build version 5 from https://github.com/cmusphinx/pocketsphinx (includes the model)`,
};

const ffmpeg: Program = {
  name: 'ffmpeg',
  packages: ['ffmpeg'],
  isInstalled: () => findMediaPrograms(searchPath) !== undefined,
  instructions: `Install ffmpeg so that ffmpeg and ffprobe are on the PATH:
  Debian, Ubuntu:  apt-get install ffmpeg
  Fedora:          dnf install ffmpeg-free
  macOS:           brew install ffmpeg`,
};

const flite: Program = {
  name: 'Flite',
  packages: ['flite'],
  isInstalled: () => findProgram('flite', searchPath) !== undefined,
  instructions: `Install Flite so that flite is on the PATH:
  Debian, Ubuntu:  apt-get install flite
  Fedora:          dnf install flite
  macOS:           brew install flite`,
};

const opusTools: Program = {
  name: 'opus-tools',
  packages: ['opus-tools'],
  isInstalled: () => findProgram('opusenc', searchPath) !== undefined,
  instructions: `Install opus-tools so that opusenc is on the PATH:
  Debian, Ubuntu:  apt-get install opus-tools
  Fedora:          dnf install opus-tools
  macOS:           brew install opus-tools`,
};

const chromium: Program = {
  name: 'Chromium',
  packages: ['chromium'],
  isInstalled: () => findChromium(searchPath) !== undefined,
  instructions: `Install Chromium so that chromium or chromium-browser is on the PATH:
  Debian:  apt-get install chromium
  Fedora:  dnf install chromium`,
};

const curl: Program = {
  name: 'curl',
  packages: ['curl'],
  isInstalled: () => findProgram('curl', searchPath) !== undefined,
  instructions: 'Install curl with the package manager of your system.',
};

const python: Program = {
  name: 'Python with boto3 and requests',
  packages: ['python3', 'python3-venv'],
  isInstalled: () => findTutorialPython(searchPath) !== undefined,
  prepare: () =>
    run(['python3', '-m', 'venv', pythonFolder]) &&
    run([`${pythonFolder}/bin/python`, '-m', 'pip', 'install', '--require-hashes', '--quiet', '-r', requirements]),
  instructions: `Install Python 3.11 or newer so that python3 is on the PATH, and its packages:
  python3 -m pip install boto3 requests`,
};

await runCommand(async () => {
  const { tests } = commandLine(
    'npm run setup --',
    'Installs PocketSphinx, which recognizes speech, ffmpeg, which decodes recordings, and Flite and opus-tools, which ' +
      'make the meeting of the demo, and builds the console.',
  )
    .option('--tests', 'also install Chromium, curl, and Python with boto3 and requests, which npm test needs')
    .parse()
    .opts();
  const programs = [recognizer, ffmpeg, flite, opusTools, ...(tests ? [chromium, curl, python] : [])];
  const isDone = programs.map((program) => setUp(program)).every(Boolean);
  process.exitCode = isDone ? 0 : 1;
  if (!isDone) return;
  checkDynamoDb();
  await buildConsole();
});

function setUp(program: Program): boolean {
  const { name, packages, instructions, prepare } = program;
  if (program.isInstalled(aptGet !== undefined)) {
    console.log(`${name} is already installed.`);
    return true;
  }
  if (prepare?.() && program.isInstalled(aptGet !== undefined)) {
    console.log(`${name} is installed.`);
    return true;
  }
  if (aptGet === undefined) {
    console.error(`${name} is missing, and apt-get is not available to install it.\n${instructions}\n${thenRepeat}`);
    return false;
  }
  const prefix = privilegePrefix();
  if (prefix === undefined) {
    console.error(`${name} is missing. Run this as root:\n  apt-get install ${packages.join(' ')}\n${thenRepeat}`);
    return false;
  }
  if (install(program, [...prefix, aptGet])) return true;
  console.error(`apt-get could not install ${name}: see its messages above.\n${instructions}\n${thenRepeat}`);
  return false;
}

/** What to put before apt-get: nothing for root, sudo for other users. Undefined without sudo. */
function privilegePrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const sudo = findProgram('sudo', searchPath);
  // sudo drops the environment, so env sets the variable that keeps apt-get from asking questions.
  return sudo === undefined ? undefined : [sudo, 'env', 'DEBIAN_FRONTEND=noninteractive'];
}

function install({ name, packages, isInstalled, prepare = () => true }: Program, command: string[]): boolean {
  const attempt = (): boolean => run([...command, 'install', '-y', '--no-install-recommends', ...packages]);
  console.log(`Installing ${name}: ${packages.join(', ')}.`);
  // A new machine or image has no package lists, or old ones. The first attempt fails there.
  const succeeded = attempt() || (run([...command, 'update']) && attempt());
  if (!succeeded || !prepare() || !isInstalled(true)) return false;
  console.log(`${name} is installed.`);
  return true;
}

function run([command = '', ...args]: string[]): boolean {
  console.log(`> ${[command, ...args].join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

/** Builds the console, so that the first start does not have to. */
async function buildConsole(): Promise<void> {
  try {
    await builtConsole();
    console.log('The console is built.');
  } catch (error) {
    console.error(`The console cannot be built: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}

function checkDynamoDb(): void {
  try {
    createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  } catch {
    console.log(
      'node_modules has no DynamoDB for this platform. Start a DynamoDB endpoint, such as DynamoDB Local, and run npm start -- --dynamodb-url URL.',
    );
  }
}
