import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';
import { type Endpoints, writeEndpoints } from '#tools/shared/endpoints.ts';
import { endpoints } from '../support/machine.ts';
import { key } from './programs.ts';

/** A one machine: its addresses, and the data directory by which commands find it. */
export type OneMachine = { readonly dataDir: string; readonly endpoints: Endpoints };

/** The one machine that the tests of a run share. */
export async function sharedMachine(): Promise<OneMachine> {
  const dataDir = await mkdtemp(path.join(inject('machine').temporaryFolder, 'addresses-'));
  await writeEndpoints(path.join(dataDir, 'endpoints.json'), endpoints);
  return { dataDir, endpoints };
}

/** Runs `npm run organization` on a one machine, with a text on its standard input. Returns what it prints. Throws if it fails. */
export async function runOrganization(
  { dataDir }: OneMachine,
  [action, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<string> {
  const all = ['run', '--silent', 'organization', '--', action, ...args, '--data-dir', dataDir];
  const running = promisify(execFile)('npm', all);
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Connects LiveKit to an organization as an operator does. Returns the lines for livekit.yaml, exactly as they were printed. */
export async function connect(machine: OneMachine, organizationId: string): Promise<string> {
  const args = ['connect', organizationId, 'livekit', '--key-id', key.id, '--secret-stdin'] as const;
  const printed = await runOrganization(machine, args, `${key.value}\n`);
  expect(printed).not.toContain(key.value);
  const [lines, indent = ''] = /^( *)webhook:\n(?:\1 +.+\n)+/m.exec(printed) ?? [];
  if (lines === undefined) throw new Error(`The command printed no lines for livekit.yaml:\n${printed}`);
  return lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}
