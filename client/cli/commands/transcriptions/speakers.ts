import { type Command, Option } from 'commander';
import type { CorrectSpeaker, Speaker } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, FieldOption, idArgument } from '../../options.ts';
import { duration, plain } from '../../output/format.ts';
import { type Column, table } from '../../output/table.ts';
import { usageProblem } from '../../problems.ts';

const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';

const columns: readonly Column<Speaker>[] = [
  { header: 'SPEAKER', value: ({ speaker }) => speaker },
  { header: 'NAME', value: ({ displayName }) => displayName, mayBeCut: true },
  { header: 'PARTICIPANT', value: ({ participantId }) => plain(participantId) },
  { header: 'KNOWN BY', value: ({ source }) => source },
  { header: 'SPOKEN', value: ({ spokenSeconds }) => duration(Math.round(spokenSeconds)), align: 'right' },
  { header: 'SHARE', value: ({ share }) => `${Math.round(share * 100)} %`, align: 'right' },
  { header: 'TURNS', value: ({ turns }) => String(turns), align: 'right', mayBeLeftOut: true },
];

/** Adds `transcriptions speakers`. */
export function addSpeakers(parent: Command, cli: Cli): void {
  const command = parent
    .command('speakers')
    .description('List who speaks in a transcript, how that is known, and for how long.')
    .addArgument(idArgument('<transcription-id>', 'Identifier of the transcription.'));
  command
    .addHelpText('after', examples(`$ roomscribe transcriptions speakers ${id}`))
    .action(async (transcriptionId: string) => {
      const output = outputOf(cli, command);
      const { speakers = [], language = null } = await withClient(cli, command, ({ transcriptions }) =>
        transcriptions.get(transcriptionId, { signal: cli.signal }),
      );
      output.print({ speakers, language }, (screen) => (speakers.length > 0 ? table(columns, speakers, screen) : ''));
      if (speakers.length === 0) output.note('No speakers. Only a transcript that the service has made has speakers.');
    });
}

type RenameFlags = { readonly displayName?: string; readonly participantId?: string; readonly undo?: true };

/** Adds `transcriptions rename`. */
export function addRename(parent: Command, cli: Cli): void {
  const command = parent
    .command('rename')
    .description('Say who a speaker of a transcript is, or undo it. Needs one of the options.')
    .addArgument(idArgument('<transcription-id>', 'Identifier of the transcription.'))
    .addArgument(idArgument('<speaker>', 'The speaker, such as "Speaker 1".'))
    .addOption(new FieldOption('displayName', '--name <name>', 'Name to show.').conflicts(['participantId', 'undo']))
    .addOption(new Option('--participant-id <id>', 'Participant of the session.').conflicts(['displayName', 'undo']))
    .addOption(new Option('--undo', 'Take the correction back.').conflicts(['displayName', 'participantId']));
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe transcriptions rename \\',
        `    ${id} 'Speaker 1' --name 'Ada Lovelace'`,
        '$ roomscribe transcriptions rename \\',
        `    ${id} 'Speaker 1' --undo`,
      ),
    )
    .action(async (transcriptionId: string, speaker: string, { undo, displayName, participantId }: RenameFlags) => {
      const output = outputOf(cli, command);
      const options = { signal: cli.signal };
      if (undo) {
        await withClient(cli, command, ({ transcriptions }) =>
          transcriptions.undoSpeakerCorrection(transcriptionId, speaker, options),
        );
        output.print({ transcriptionId, speaker }, () => '');
        output.note('Undone. The files have the earlier name in some seconds.');
        return;
      }
      const who = correctionOf(displayName, participantId);
      const corrected = await withClient(cli, command, ({ transcriptions }) =>
        transcriptions.correctSpeaker(transcriptionId, speaker, who, options),
      );
      output.print(corrected, (screen) => table(columns, [corrected], screen));
      output.note('The files have the name in some seconds.');
    });
}

function correctionOf(displayName: string | undefined, participantId: string | undefined): CorrectSpeaker {
  if (displayName !== undefined) return { displayName };
  if (participantId !== undefined) return { participantId };
  throw usageProblem('Who speaks is missing.', 'Add --name, --participant-id or --undo.');
}
