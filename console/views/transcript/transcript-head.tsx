import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TranscriptionDetail } from '../../../client/types.ts';
import { formatDuration } from '../../parts/formats.ts';
import { NameText } from '../../parts/name-text.tsx';
import { ViewHeader } from '../../parts/page/view-header.tsx';
import { Fact, Facts } from '../../parts/tables/facts.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { TranscriptionStateText } from '../../parts/transcription-state.tsx';
import { texts } from '../../texts/en.ts';
import { languageInWords, optionsInWords } from './in-words.ts';
import styles from './transcript.module.css';

/** What is known of a transcription before its text is read. */
export function TranscriptHead({ transcription }: { readonly transcription: TranscriptionDetail }) {
  const { roomName, roomSessionId, state, startDate, durationInSeconds, type, createdAt } = transcription;
  const { title, facts, openSession, approximate } = texts.transcript;
  return (
    <div>
      <TranscriptHeader>
        {title}{' '}
        <Link to="/room" search={{ name: roomName }} className={styles.room}>
          <NameText>{roomName}</NameText>
        </Link>
      </TranscriptHeader>
      <Facts>
        <Fact name={facts.state}>
          <TranscriptionStateText state={state} />
        </Fact>
        <Fact name={facts.session}>
          <Link to="/session" search={{ id: roomSessionId, room: roomName }}>
            {openSession}
          </Link>
        </Fact>
        <Fact name={facts.started}>
          <TimeText value={startDate} />
        </Fact>
        {state === 'ready' && <Fact name={facts.duration}>{formatDuration(durationInSeconds)}</Fact>}
        <Languages transcription={transcription} />
        <Fact name={facts.type}>{texts.transcriptions.types[type]}</Fact>
        <Fact name={facts.created}>
          <TimeText value={createdAt} />
        </Fact>
        {transcription.options && (
          <Fact name={facts.options} isWide>
            <bdi>{optionsInWords(transcription.options).join(', ')}</bdi>
          </Fact>
        )}
      </Facts>
      {transcription.approximateTimes && <p className={styles.warning}>{approximate}</p>}
    </div>
  );
}

/** The heading of the view, below the way up to all transcriptions. */
export function TranscriptHeader({ children }: { readonly children: ReactNode }) {
  const all = <Link to="/transcriptions">{texts.transcriptions.title}</Link>;
  return (
    <ViewHeader crumbs={[all]}>
      <h1>{children}</h1>
    </ViewHeader>
  );
}

function Languages({ transcription: { language, languages } }: { readonly transcription: TranscriptionDetail }) {
  if (language === undefined) return null;
  const codes = languages ?? [language];
  return <Fact name={texts.transcript.facts.language}>{codes.map(languageInWords).join(', ')}</Fact>;
}
