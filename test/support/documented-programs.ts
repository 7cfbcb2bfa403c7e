import path from 'node:path';
import { expect } from 'vitest';
import type { Step } from './documents.ts';
import { installedPackage } from './package.ts';
import { succeed } from './run-program.ts';
import type { Program } from './shell.ts';

const mark = '=== end of a block ===';

/** The commands of some steps as one script, after each of which the printed text is divided. */
export function scriptOf(steps: readonly Step[]): string {
  return steps.map(({ code }) => `${code}\necho '${mark}'`).join('\n');
}

/** The TypeScript of some steps as one program, divided in the same way. */
export function programOf(steps: readonly Step[]): string {
  return steps.map(({ code }) => `${code}\nconsole.log('${mark}');\n`).join('\n');
}

/** Every step has printed what its page says; in its texts `…` is any text of a line, or any lines where it is one. */
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

/** npm, with the package that the tests share in the place of one that is built anew; it asks no registry. */
export const npmWithPackage: Program = async ({ args, folder }) => {
  const [command, ...rest] = args;
  if (command === 'run' && rest[0] === 'build') return '';
  const { tarball } = await installedPackage();
  if (command === 'pack') return path.relative(folder, tarball);
  return (await succeed('npm', ['--offline', '--no-audit', '--no-fund', ...args], { folder })).stdout;
};
