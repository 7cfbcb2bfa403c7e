import { openProgress } from '../tools/shared/progress-bar.ts';
import { runCommand } from '../tools/shared/run-command.ts';
import { runDlq } from './dead-letter-commands.ts';

// Entry point of `npm run dlq`, which lists dead letters and redrives them (docs/operations/dead-letters.md).

const progress = openProgress();
await runCommand(
  () => runDlq(process.argv.slice(2), { ...progress, print: (line) => console.log(line) }),
  progress.end,
);
