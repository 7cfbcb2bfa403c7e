import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../transcribe/media/find-program.ts';

/** The folder of the Python that `npm run setup -- --tests` makes for the tutorial's program. */
export const pythonFolder = path.resolve('node_modules/.cache/tutorial-python');

/** The exact versions of the packages, with their hashes. */
export const requirements = path.join(import.meta.dirname, 'requirements.txt');

/** Ends with 0 if both packages are there, and boto3 is new enough: older ones send SQS messages as XML. */
const check = `
import importlib.metadata, sys
version = [int(part) for part in importlib.metadata.version('boto3').split('.')[:2]]
importlib.metadata.version('requests')
sys.exit(version < [1, 34])`;

/** A Python with the packages of the tutorial's program: the first one on the search path, or that of the setup. */
export function findTutorialPython(searchPath: string): string | undefined {
  const onPath = findProgram('python3', searchPath);
  const candidates = [onPath, path.join(pythonFolder, 'bin', 'python')];
  return candidates.find((file) => file !== undefined && existsSync(file) && hasPackages(file));
}

function hasPackages(python: string): boolean {
  return spawnSync(python, ['-c', check], { stdio: 'ignore' }).status === 0;
}
