import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { openProgress } from '#client/cli/output/progress.ts';
import { createProgram } from '#client/cli/program.ts';

const { stdin, stdout, stderr } = process;
const program = createProgram({
  env: {},
  stdin,
  stdout,
  stderr,
  progress: openProgress(stderr, {}),
  signal: new AbortController().signal,
});

const own = ({ commands }: Command) => commands.filter((each) => !['help', 'complete'].includes(each.name()));
const all = (command: Command): Command[] => [command, ...own(command).flatMap(all)];
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
const commands = all(program).map((command): [string, Command] => [nameOf(command), command]);

/** The help, printed in 80 columns. */
function helpOf(command: Command): string {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({ ...before, writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
  command.outputHelp();
  command.configureOutput(before);
  return text;
}

describe.each(commands)('the help of %s', (name, command) => {
  const help = helpOf(command);

  test('fits into 80 columns and has a description in sentences and an example', () => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(command.description()).toMatch(/^[A-Z].*\.$/);
    for (const { description } of [...command.options, ...command.registeredArguments]) {
      expect(description).toMatch(/^[A-Z1].*\.$/);
    }
    expect(help.slice(help.indexOf('Examples:'))).toContain(`${name}`);
  });

  test('matches the snapshot', () => {
    expect(help).toMatchSnapshot();
  });
});

test('the help lists the environment variables and every exit code', () => {
  const help = helpOf(program);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 130]) expect(help).toMatch(new RegExp(`^ {2}${code} {2,}\\S`, 'm'));
  for (const name of ['API_URL', 'TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'TOKEN', 'PROFILE', 'CONFIG_DIR']) {
    expect(help).toContain(`ROOMSCRIBE_${name} `);
  }
});
