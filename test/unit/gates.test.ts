import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const commands: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const scripts = Object.keys(commands);
const documented = new Map(
  [...read('CONTRIBUTING.md').matchAll(/^\| (`\.ci\/\w+`|none: .+) \| ((?:`[\w:-]+`(?:, )?)+) \|$/gm)].map(
    ([, gate = '', names = '']) => [gate, [...names.matchAll(/`([\w:-]+)`/g)].map(([, name]) => name)] as const,
  ),
);

/** The scripts that a gate runs: by name, in a loop, or by the README's test command. */
function scriptsOf(gate: string): string[] {
  const code = read(gate)
    .split('\n')
    .filter((line) => !/^\s*#|\bstep\b/.test(line))
    .join('\n');
  const readme = code.includes('README.md')
    ? (/runs the next block -->\n```sh\n(.+)\n/.exec(read('README.md'))?.[1] ?? '')
    : '';
  const named = [...`${code}\n${readme}`.matchAll(/\bnpm (?:run )?((?<=run )[\w:-]+|test)/g)];
  const looped = [...code.matchAll(/for script in ([^;]+);/g)].flatMap(([, names = '']) => names.split(' '));
  return [...new Set([...named.map(([, name = '']) => name), ...looped])];
}

test.each(['.ci/run', '.ci/long'])('%s runs what CONTRIBUTING.md says', (gate) => {
  expect(documented.get(`\`${gate}\``)?.toSorted()).toEqual(scriptsOf(gate).toSorted());
});

test('every script is run by a gate, or has a reason why none runs it', () => {
  const placed = [...documented.values()].flat();
  expect([...new Set(placed)].toSorted()).toEqual(scripts.toSorted());
  expect(placed.filter((name, index) => placed.indexOf(name) < index)).toEqual(['setup']); // each gate sets up its machine
});

/** The projects and configurations of vitest that a script runs. */
const suitesOf = (script: string) =>
  [...(commands[script] ?? '').matchAll(/--(?:project|config) (\S+)/g)].map(([, suite]) => suite);

test('no tests are run only by scripts that no gate runs', () => {
  const gated = ['.ci/run', '.ci/long'].flatMap(scriptsOf);
  const all = new Set(scripts.flatMap(suitesOf));
  expect(new Set(gated.flatMap(suitesOf))).toEqual(all);
  expect(all.size).toBeGreaterThan(10);
});
