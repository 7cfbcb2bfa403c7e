import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TranscriptionDetail } from '../../../types.ts';
import { formatDuration } from '../../parts/formats.ts';
import { NameText } from '../../parts/name-text.tsx';
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
    <header>
      <h1>
        {title}{' '}
        <Link to="/room" search={{ name: roomName }} className={styles.room}>
          <NameText>{roomName}</NameText>
        </Link>
      </h1>
      <dl className={styles.facts}>
        <Fact term={facts.state}>
          <TranscriptionStateText state={state} />
        </Fact>
        <Fact term={facts.session}>
          <Link to="/session" search={{ id: roomSessionId, room: roomName }}>
            {openSession}
          </Link>
        </Fact>
        <Fact term={facts.started}>
          <TimeText value={startDate} />
        </Fact>
        {state === 'ready' && <Fact term={facts.duration}>{formatDuration(durationInSeconds)}</Fact>}
        <Languages transcription={transcription} />
        <Fact term={facts.type}>{texts.transcriptions.types[type]}</Fact>
        <Fact term={facts.created}>
          <TimeText value={createdAt} />
        </Fact>
        {transcription.options && (
          <Fact term={facts.options}>
            <bdi>{optionsInWords(transcription.options).join(', ')}</bdi>
          </Fact>
        )}
      </dl>
      {transcription.approximateTimes && <p className={styles.warning}>{approximate}</p>}
    </header>
  );
}

function Languages({ transcription: { language, languages } }: { readonly transcription: TranscriptionDetail }) {
  if (language === undefined) return null;
  const codes = languages ?? [language];
  return <Fact term={texts.transcript.facts.language}>{codes.map(languageInWords).join(', ')}</Fact>;
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
