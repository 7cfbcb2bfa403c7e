import { tombstoneKeptForMs } from '#shared/domain/transcriptions/deadlines.ts';
import {
  type Situation,
  type TranscriptionEvent,
  type Transition,
  transitions,
} from '#shared/domain/transcriptions/transcription-states.ts';

/** The document that shows the state machine. */
export const stateMachineFile = 'docs/state-machine.md';

const begin =
  '<!-- Written by npm run describe from shared/domain/transcriptions/transcription-states.ts: do not edit. -->\n';
const end = '<!-- End of what npm run describe writes. -->\n';

const dayMs = 24 * 60 * 60 * 1000;

type Cause = readonly [writtenBy: string, when: string];

/** Which functions write an event, and when. */
const causes: Readonly<Record<TranscriptionEvent, readonly Cause[]>> = {
  created: [
    [
      'create-transcription',
      "POST, and the recording has no transcription in progress. The same transaction requires the recording's `latestTranscriptionId` to be the one just read and, if it [takes over](architecture.md#create) a work, the work to be still on offer",
    ],
  ],
  liveStarted: [['record-room-events', '`transcription.started`']],
  liveFinished: [['record-room-events', '`transcription.finished`']],
  liveFailed: [['record-room-events', '`transcription.failed`']],
  jobStarted: [['start-transcription', 'Transcribe has accepted the job']],
  prepared: [['prepare-media', 'every part of the work is stored']],
  transcribed: [
    ['finish-transcription', 'the job is completed, and all files are written'],
    ['merge-transcription', 'all parts have ended, one of them has words, and all files are written'],
  ],
  failed: [
    ['finish-transcription', 'the job failed, found no speech, or wrote output that cannot be read'],
    ['merge-transcription', 'all parts have failed, or nobody has spoken'],
    ['reconcile-transcriptions', 'a live transcription is given up (see below). This is not final'],
  ],
  abandoned: [
    [
      'start-transcription',
      'the recording is missing, cannot be transcribed or exceeds the minutes of the day, Transcribe refuses it, or Transcribe was busy for 24 hours',
    ],
    ['prepare-media', 'the recording as a whole exceeds a limit, or the minutes of the day'],
    ['reconcile-transcriptions', 'the transcription of a recording is given up (see below)'],
  ],
  deleted: [['delete-transcription, delete-transcriptions', 'DELETE, bulk delete']],
};

const events = Object.entries(transitions) as [TranscriptionEvent, Transition][];

/** The document with diagram and table as the transitions are now. Throws if the document has no place for them. */
export function withStateMachine(document: string): string {
  const from = document.indexOf(begin) + begin.length;
  const to = document.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`${stateMachineFile} has no place for the state machine.`);
  return `${document.slice(0, from)}\n${diagram()}\n${table()}\n${document.slice(to)}`;
}

function diagram(): string {
  const arrows = events.flatMap(([event, { from, to }]) =>
    from.map((situation) => ({ arrow: `${situation === 'nothing' ? '[*]' : situation.state} --> ${to}`, event })),
  );
  const labelled = [...Map.groupBy(arrows, ({ arrow }) => arrow)].map(
    ([arrow, same]) => `    ${arrow}: ${same.map(({ event }) => event).join(', ')}\n`,
  );
  return `\`\`\`mermaid\nstateDiagram-v2\n${labelled.join('')}    tombstone --> [*]: expires after ${tombstoneKeptForMs / dayMs} days\n\`\`\`\n`;
}

function table(): string {
  const rows = events.flatMap(([event, transition]) =>
    causes[event].map(([writtenBy, when]) => {
      const to = transition.to === 'tombstone' ? 'tombstone' : code(transition.to);
      return [
        code(event),
        fromText(transition),
        to,
        setsText(transition),
        listText(transition.removes),
        writtenBy,
        when,
      ];
    }),
  );
  const head = ['Event', 'From', 'To', 'Sets', 'Removes', 'Written by', 'When'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function fromText({ from, requiresStateAsRead = false }: Transition): string {
  return `${from.map(situationText).join(' or ')}${requiresStateAsRead ? ', and the state and failure code just read' : ''}`;
}

function situationText(situation: Situation): string {
  if (situation === 'nothing') return 'nothing stored';
  const { state, ...rest } = situation;
  const names: Readonly<Record<string, string>> = { failureCode: 'failure.code' };
  const others = Object.entries(rest).map(([name, value]) => `${code(names[name] ?? name)} ${code(value)}`);
  return `${code(state)}${others.length > 0 ? ` with ${others.join(' and ')}` : ''}`;
}

function setsText({ sets }: Transition): string {
  return sets === 'all' ? 'everything' : listText(sets);
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.map(code).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}
