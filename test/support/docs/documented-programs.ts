import path from 'node:path';
import { expect } from 'vitest';
import { installedPackage } from '../client/package.ts';
import { succeed } from '../client/run-program.ts';
import type { Program } from '../client/shell.ts';
import type { Step } from './documents.ts';

const mark = '=== end of a block ===';

/** Joins the commands of the steps into one script that prints a separator after each step. */
export function scriptOf(steps: readonly Step[]): string {
  return steps.map(({ code }) => `${code}\necho '${mark}'`).join('\n');
}

/** Joins the TypeScript of the steps into one program that prints a separator after each step. */
export function programOf(steps: readonly Step[]): string {
  return steps.map(({ code }) => `${code}\nconsole.log('${mark}');\n`).join('\n');
}

/** Joins the Python of the steps into one program that prints a separator after each step. */
export function pythonOf(steps: readonly Step[]): string {
  return steps.map(({ code }) => `${code}\nprint('${mark}')\n`).join('\n');
}

/**
 * Expects each step to have printed the text of its page. `…` matches any text in a line, and any lines if it stands
 * alone.
 */
export function expectPrinted(stdout: string, steps: readonly Step[]): void {
  const printed = stdout.split(`${mark}\n`).map((text) => text.replaceAll('\r', '').trim());
  for (const [index, { code, output }] of steps.entries())
    expect(`${printed[index]}\n`, `what is printed by:\n${code}\n`).toMatch(patternOf(output));
  expect(printed).toHaveLength(steps.length + 1);
}

function patternOf(output: string): RegExp {
  const lines = output.split('\n').map((line) => {
    if (line === '…') return '(?:.*\\n)*';
    return `${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*')}\\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}

/** A fake npm that uses the package of the test run instead of building it, and that calls no registry. */
export const npmWithPackage: Program = async ({ args, folder }) => {
  const [command, ...rest] = args;
  if (command === 'run' && rest[0] === 'build') return '';
  const { tarball } = await installedPackage();
  if (command === 'pack') return path.relative(folder, tarball);
  return (await succeed('npm', ['--offline', '--no-audit', '--no-fund', ...args], { folder })).stdout;
};
