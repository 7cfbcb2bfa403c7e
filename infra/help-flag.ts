import { parseArgs } from 'node:util';

/** Ends the process with the usage for `--help`, and with an error for any other argument. */
export function acceptOnlyHelp(usage: string): void {
  try {
    const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values;
    if (help !== true) return;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message.split('. To specify')[0] : error}.\n\n${usage}`);
    process.exit(1);
  }
}
