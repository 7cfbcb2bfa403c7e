import { Link } from '@tanstack/react-router';
import type { Transcription } from '../../../client/types.ts';
import { Figure } from '../../parts/charts/figure.tsx';
import { formatDuration } from '../../parts/formats.ts';
import { NameText } from '../../parts/name-text.tsx';
import { type Column, widths } from '../../parts/tables/data-table.tsx';
import { TwoLines } from '../../parts/tables/two-lines.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { TranscriptionStateText } from '../../parts/transcription-state.tsx';
import { texts } from '../../texts/en.ts';

const { columns: headings, types, missing } = texts.transcriptions;

/** The columns of the list. Only those have a way to sort by which the service can sort it. */
export function transcriptionColumns(sortFields: readonly string[]): readonly Column<Transcription>[] {
  const sortedBy = (field: string) => (sortFields.includes(field) ? { sortField: field } : {});
  return [
    {
      id: 'room',
      heading: headings.room,
      isRowHeading: true,
      width: 'clamp(9rem, 16vw, 24rem)',
      ...sortedBy('roomName'),
      cell: ({ transcriptionId: id, roomName }) => (
        <Link to="/transcript" search={{ id }}>
          <NameText cut>{roomName}</NameText>
        </Link>
      ),
    },
    {
      id: 'state',
      heading: headings.state,
      width: '8.5rem',
      cell: ({ state }) => <TranscriptionStateText state={state} />,
    },
    { id: 'problem', heading: headings.problem, width: '13rem', cell: (row) => <ProblemText {...row} /> },
    {
      id: 'started',
      heading: headings.started,
      width: widths.time,
      ...sortedBy('startDate'),
      cell: ({ startDate }) => <TimeText value={startDate} />,
    },
    {
      id: 'duration',
      heading: headings.duration,
      width: '7.5rem',
      align: 'end',
      ...sortedBy('durationInSeconds'),
      cell: (row) => <DurationText {...row} />,
    },
    { id: 'type', heading: headings.type, width: '6.5rem', cell: ({ type }) => types[type] },
    { id: 'session', heading: headings.session, width: '7.25rem', cell: (row) => <SessionLink {...row} /> },
    {
      id: 'created',
      heading: headings.created,
      width: widths.time,
      cell: ({ createdAt }) => <TimeText value={createdAt} />,
    },
  ];
}

function SessionLink({ roomSessionId: id, roomName: room }: Transcription) {
  return (
    <Link to="/session" search={{ id, room }} title={id}>
      {texts.transcriptions.openSession}
    </Link>
  );
}

/** A transcript that has failed has no duration, and of one in progress it is not known. */
function DurationText({ state, durationInSeconds }: Transcription) {
  const { any, yet } = texts.common.none;
  return (
    <Figure value={state === 'ready' ? durationInSeconds : null} none={state === 'failed' ? any : yet}>
      {formatDuration}
    </Figure>
  );
}

/** The code of a failure and what the service says about it. All of it is in the view of the transcript, too. */
function ProblemText({ state, type, failure, missing: spans }: Transcription) {
  if (failure) {
    const { code, message } = failure;
    return <TwoLines first={<code>{code}</code>} second={<bdi>{message}</bdi>} title={message} />;
  }
  const { any, yet, told } = texts.common.none;
  const none = type === 'LIVE_TRANSCRIPTION' ? told : any; // what a platform's file lacks, nobody tells
  return (
    <Figure value={spans?.length} none={state === 'in_progress' ? yet : none}>
      {missing}
    </Figure>
  );
}
