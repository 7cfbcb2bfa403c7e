import { Command, CommanderError } from 'commander';
import { settings } from './stage-settings.ts';

const names = ['stage', ...Object.keys(settings)];
/** The context that CDK and its command line set for themselves. */
const ofCdk = /^(aws:cdk:|aws-cdk:|@aws-cdk\/|cdk-|acknowledged-issue-numbers$)/;

/**
 * Returns a sentence for each name of the CDK context that is neither a setting nor CDK's own. Without this check, a misspelt
 * setting would deploy its default.
 */
export function unknownSettings(context: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(context)
    .filter((name) => !names.includes(name) && !ofCdk.test(name))
    .map((name) => `-c ${name} is not a known setting. ${suggestion(name)}`);
}

function suggestion(name: string): string {
  const other = names.find((known) => normalized(known) === normalized(name));
  return other === undefined ? similarName(name) : `Did you mean ${other}?`;
}

/** Asks commander, which suggests the nearest of the names that it knows. */
function similarName(name: string): string {
  const program = new Command()
    .helpCommand(false)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  for (const known of names) program.command(known);
  try {
    program.parse([name], { from: 'user' });
  } catch (error) {
    const hint = error instanceof CommanderError ? /\((Did you mean .*\?)\)/.exec(error.message)?.[1] : undefined;
    if (hint !== undefined) return hint;
  }
  return `Known settings: ${names.join(', ')}.`;
}

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
