import type { RoomSessionInsight } from '../../../types.ts';
import { Fact, Facts } from '../../parts/facts.tsx';
import { formatDuration, formatNumber } from '../../parts/formats.ts';
import { RatingText } from '../../parts/rating-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { texts } from '../../texts/en.ts';
import styles from './session.module.css';

type Props = { readonly session: RoomSessionInsight };

/** The figures of a session, and in words what the platform did not tell of it. */
export function SessionFacts({ session }: Props) {
  return (
    <>
      <Facts>
        <Times session={session} />
        <Counts session={session} />
        <TalkTime session={session} />
        <Fact name={texts.session.facts.asOf}>
          <TimeText value={session.asOf} />
        </Fact>
      </Facts>
      <Completeness session={session} />
    </>
  );
}

function Times({ session: { startedAt, endedAt, asOf } }: Props) {
  const { started, ended, notEnded, duration, untilNow } = texts.session.facts;
  const seconds = (Date.parse(endedAt ?? asOf) - Date.parse(startedAt)) / 1000;
  return (
    <>
      <Fact name={started}>
        <TimeText value={startedAt} />
      </Fact>
      <Fact name={ended}>
        <TimeText value={endedAt} none={notEnded} />
      </Fact>
      <Fact name={duration}>
        {formatDuration(seconds)} {endedAt === null && <span className="hint">{untilNow}</span>}
      </Fact>
    </>
  );
}

function Counts({ session }: Props) {
  const { facts } = texts.session;
  const { totalRecorderMinutes, totalStreamerMinutes, totalUniqueRecorders, totalUniqueStreamers } = session;
  return (
    <>
      <Fact name={facts.people}>{formatNumber(session.totalUniqueParticipants)}</Fact>
      <Fact name={facts.participantMinutes}>{formatNumber(session.totalParticipantMinutes)}</Fact>
      <Fact name={facts.recorderMinutes}>
        {formatNumber(totalRecorderMinutes)} <By count={totalUniqueRecorders} nouns={facts.recorders} />
      </Fact>
      <Fact name={facts.streamerMinutes}>
        {formatNumber(totalStreamerMinutes)} <By count={totalUniqueStreamers} nouns={facts.streamers} />
      </Fact>
      <Fact name={facts.rating}>
        {session.rating === null ? facts.noRating : <RatingText rating={session.rating} count={session.totalRatings} />}
      </Fact>
    </>
  );
}

function By({ count, nouns }: { readonly count: number; readonly nouns: readonly [string, string] }) {
  return count === 0 ? null : <span className="hint">{texts.session.facts.by(count, nouns)}</span>;
}

function TalkTime({ session: { spokenSeconds, spokenSource } }: Props) {
  const { facts, sources } = texts.session;
  return (
    <Fact name={facts.talkTime} isWide={spokenSource !== null}>
      {spokenSeconds === null ? facts.noTalkTime : formatDuration(spokenSeconds)}{' '}
      {spokenSource !== null && <span className="hint">{sources[spokenSource] ?? spokenSource}</span>}
    </Fact>
  );
}

function Completeness({ session: { completeness } }: Props) {
  const { observed, inferred, inferredOnly, title, ...missingTexts } = texts.session.completeness;
  const { state, missing } = completeness;
  return (
    <section aria-label={title} className={styles.completeness} data-state={state}>
      {state === 'observed' ? <p>✓ {observed}</p> : <p>≈ {missing.length > 0 ? inferred : inferredOnly}</p>}
      {missing.length > 0 && (
        <ul>
          {missing.map((kind) => (
            <li key={kind}>{missingTexts[kind] ?? kind}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
