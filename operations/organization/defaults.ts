import { Option } from 'commander';
import { parse } from '#shared/contracts/common/parse.ts';
import { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { defaultableOptions, type OptionDefaults } from '#shared/domain/transcriptions/effective-options.ts';
import { optionIssues } from '#shared/domain/transcriptions/option-rules.ts';
import { organizationDefaults } from '#shared/storage/transcriptions/option-defaults.ts';
import { RepeatableOption } from '#tools/shared/command-line.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { readTarget, type TargetOptions } from '../target.ts';
import { type Commands, onDeployment } from './command.ts';
import { findScope, type Scope } from './scope.ts';

type OptionName = (typeof defaultableOptions)[number];

/** Changes of defaults. An option that is `undefined` is removed. */
type Changes = Readonly<Partial<Record<OptionName, unknown>>>;

/** Adds the command that shows or changes the defaults of an organization. */
export function addDefaults({ program, dependencies, printing }: Commands): void {
  type Options = TargetOptions & { set?: Changes; clear?: true };
  onDeployment(program, 'defaults', 'Shows or changes which options transcriptions have by default.')
    .addOption(
      new RepeatableOption(
        '--set <option=value>',
        'change one, as in --set language=en-US; can be given several times. Without a value, as in ' +
          '--set language=, remove it. Lists have commas; a filter is NAME:METHOD',
      ).argParser((text, changes: Changes = {}) => ({ ...changes, ...changeOf(text) })),
    )
    .addOption(new Option('--clear', 'remove all').conflicts('set'))
    .action(
      printing(async (name: string, { set, clear, ...options }: Options) =>
        defaults(clear ? 'none' : set, await findScope({ name, target: readTarget(options) }, dependencies)),
      ),
    );
}

function changeOf(text: string): Changes {
  const end = text.includes('=') ? text.indexOf('=') : text.length;
  const name = defaultableOptions.find((option) => option === text.slice(0, end));
  if (!name || end === text.length) {
    const problem = name ? `--set ${name} needs a value, as in --set ${name}=VALUE` : `There is no default "${text}"`;
    throw new UserError(`${problem}. The defaults are ${defaultableOptions.join(', ')}.`);
  }
  const value = text.slice(end + 1);
  return { [name]: value === '' ? undefined : checked(name, readers[name](value)) };
}

const isTrue = (text: string) => (text === 'true' || text === 'false' ? text === 'true' : text);

/** How the text of a value becomes an option. The schema refuses what is none. */
const readers: Readonly<Record<OptionName, (text: string) => unknown>> = {
  language: (text) => (text.includes(',') ? text.split(',') : text),
  multiLanguage: isTrue,
  redact: (text) => ({ types: text.split(',') }),
  vocabulary: (text) => text,
  vocabularyFilter: (text) => {
    const [name, ...method] = text.split(':');
    return { name, method: method.join(':') };
  },
  maxSpeakers: Number,
  tracks: isTrue,
};

function checked(name: OptionName, value: unknown): unknown {
  const parsed = parse(TranscriptionOptions, { [name]: value });
  if (!parsed.ok) throw new UserError(parsed.issues.map(({ path, message }) => `${path} ${message}.`).join('\n'));
  return parsed.value[name];
}

/** Makes changes, and returns the text that shows the defaults. Throws a `UserError` if they exclude each other. */
async function defaults(
  changes: Changes | 'none' | undefined,
  { organizationId, note, deployment }: Scope,
): Promise<string> {
  const stored = organizationDefaults(deployment.documents, deployment.tables.recordings);
  const asRead = await stored.find(organizationId);
  const all = changes === 'none' ? {} : { ...asRead, ...changes };
  const next = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as OptionDefaults;
  if (changes) {
    const issues = optionIssues(next).map(({ path, message }) => `${path.replace('options.', '')} ${message}.`);
    if (issues.length > 0) throw new UserError(`Nothing was changed.\n${issues.join('\n')}`);
    if (!(await stored.replace(organizationId, asRead, Object.keys(next).length > 0 ? next : undefined)))
      throw new UserError(
        'Nothing was changed: somebody else has changed the defaults meanwhile. Run the command again.',
      );
  }
  const lines = Object.entries(next).map(([name, value]) => `  ${name.padEnd(16)}  ${JSON.stringify(value)}`);
  if (lines.length === 0) return `${note}\nIt has no defaults of its own: those of the deployment take effect.`;
  return [note, 'Its defaults, where a request to transcribe does not say otherwise:', ...lines].join('\n');
}
