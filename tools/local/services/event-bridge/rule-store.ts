import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { errorCode } from '#tools/shared/error-details.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { Target } from './event-requests.ts';

const StoredRule = z.object({
  name: z.string(),
  bus: z.string(),
  pattern: z.record(z.string(), z.unknown()),
  isEnabled: z.boolean(),
  description: z.optional(z.string()),
  targets: z.array(Target),
});
/** A rule that a program has made. */
export type StoredRule = z.output<typeof StoredRule>;

/** The rules that programs have made: in memory for reads, and in one file, so that they survive the process. */
export type RuleStore = {
  readonly all: () => readonly StoredRule[];
  /**
   * Replaces a rule of a bus by what `change` makes of it; undefined removes it. Changes run one after the other, and each is on disk
   * before the next begins. If `change` throws, nothing changes.
   */
  readonly change: (
    bus: string,
    name: string,
    change: (rule: StoredRule | undefined) => StoredRule | undefined,
  ) => Promise<void>;
};

/** Reads the file of an earlier run. */
export async function openRuleStore(file: string): Promise<RuleStore> {
  let rules: readonly StoredRule[] = await readRules(file);
  let last: Promise<unknown> = Promise.resolve();
  const replace = async (bus: string, name: string, change: Parameters<RuleStore['change']>[2]) => {
    const isIt = (rule: StoredRule) => rule.bus === bus && rule.name === name;
    const after = change(rules.find(isIt));
    const next = [...rules.filter((rule) => !isIt(rule)), ...(after ? [after] : [])];
    await writeFileAtomic(file, JSON.stringify(next));
    rules = next;
  };
  return {
    all: () => rules,
    change: (bus, name, change) => {
      const changed = last.then(() => replace(bus, name, change));
      last = changed.catch(() => {});
      return changed;
    },
  };
}

async function readRules(file: string): Promise<StoredRule[]> {
  try {
    return z.array(StoredRule).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new UserError(`The rules in ${file} cannot be read. Restore the file, or start with --fresh.`, {
      cause: error,
    });
  }
}
