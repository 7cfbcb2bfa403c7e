import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { at, everySettingWithConsole, type Resource, type StackOptions, stackOf } from '../support/infra/templates.ts';

/**
 * By what CloudFormation knows each resource, recorded from commit c722cd99. It deletes a resource whose logical id or name changes, and
 * creates another one without the data. Record an intended change with `npm run test:infra -- template-identity -u`.
 */
const recordFile = path.resolve('test/infra/template-identity.json');

const stacks: readonly (readonly [settings: string, stage: string, options: StackOptions])[] = [
  ...stageNames.map((stage) => [stage, stage, {}] as const),
  ['prod with every setting', 'prod', { config: everySettingWithConsole }],
];

/** CDK puts a hash of the code and settings into the id of a version: a deployment replaces it. */
const versionHash = /(?<=CurrentVersion)[0-9A-F]{8}[0-9a-f]{32}$/;

const referred = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/g)].map(([, id]) => id).join();

/** What names a resource besides its logical id: its name, its route, or both ends of its mapping. */
function identityOf({ type, properties }: Resource): unknown[] {
  if (type === 'AWS::Lambda::EventSourceMapping')
    return [referred(properties.EventSourceArn), referred(properties.FunctionName)];
  const ownName = `${type.split('::').at(-1)}Name`;
  const keys = new Set(['Name', ownName, 'AliasName', 'DomainName', 'Domain', 'RouteKey']);
  return Object.keys(properties).flatMap((key) => (keys.has(key) ? [properties[key]] : []));
}

/** A resource or output in one line. */
const line = (id: string, identity: readonly unknown[]) =>
  [id.replace(versionHash, ''), ...identity.map((each) => JSON.stringify(each).replaceAll('"', "'"))].join(' ');

const linesOf = ({ resources, helpers, outputs }: ReturnType<typeof stackOf>) => [
  ...[...resources, ...helpers].map((each) => ({ type: each.type, text: line(each.id, identityOf(each)) })),
  ...Object.entries(outputs).map(([id, output]) => {
    const exported = at(output, 'Export');
    return { type: 'Output', text: line(id, [at(output, 'Value'), ...(exported === undefined ? [] : [exported])]) };
  }),
];

type Recorded = { readonly [settings: string]: { readonly [type: string]: readonly string[] } };

/** The lines of all stacks, by the stacks that have them and by the type. */
function recordOfAll(): Recorded {
  const all = stacks.flatMap(([settings, stage, options]) =>
    linesOf(stackOf(stage, options)).map((each) => ({ ...each, settings })),
  );
  const same = [...Map.groupBy(all, ({ type, text }) => `${type} ${text}`).values()].map(([first, ...others]) => ({
    ...(first ?? { type: '', text: '' }),
    settings: [first, ...others].map((each) => each?.settings).join(', '),
  }));
  return sortedGroups(same, 'settings', (group) =>
    sortedGroups(group, 'type', (lines) => lines.map(({ text }) => text).toSorted()),
  );
}

function sortedGroups<Item, Value>(items: readonly Item[], key: keyof Item, value: (group: readonly Item[]) => Value) {
  const groups = [...Map.groupBy(items, (item) => String(item[key]))].map(([name, own]) => [name, value(own)] as const);
  return Object.fromEntries(groups.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** JSON with one line for each type. */
function format(recorded: Recorded): string {
  const object = (value: object, indent: string, inner: (value: never) => string): string => {
    const fields = Object.entries(value).map(
      ([key, each]) => `${indent}  ${JSON.stringify(key)}: ${inner(each as never)}`,
    );
    return `{\n${fields.join(',\n')}\n${indent}}`;
  };
  return `${object(recorded, '', (types: object) => object(types, '  ', JSON.stringify))}\n`;
}

test('no stage loses, renames or adds a resource, a mapping or an output', async () => {
  const flat = (recorded: Recorded) =>
    new Set(
      Object.entries(recorded).flatMap(([settings, types]) =>
        Object.entries(types).flatMap(([type, lines]) => lines.map((each) => `${settings}: ${type} ${each}`)),
      ),
    );
  const now = recordOfAll();
  const [before, after] = [flat(JSON.parse(readFileSync(recordFile, 'utf8'))), flat(now)];
  const changes = [
    ...[...before].filter((each) => !after.has(each)).map((each) => `- ${each}`),
    ...[...after].filter((each) => !before.has(each)).map((each) => `+ ${each}`),
  ];
  await expect(format(now), changes.join('\n')).toMatchFileSnapshot(recordFile);
});
