import type { RoomSessionInsight } from '../../../../client/types.ts';
import { RatingText, SessionLength, TalkTime } from '../../../parts/charts/figure.tsx';
import { formatNumber } from '../../../parts/formats.ts';
import { useSessionPeople } from '../../../parts/session-people.ts';
import { Fact, Facts } from '../../../parts/tables/facts.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { texts } from '../../../texts/en.ts';
import styles from './session.module.css';

type Props = { readonly session: RoomSessionInsight };

/** The figures of a session, and in words what the platform did not tell of it. */
export function SessionFacts({ session }: Props) {
  return (
    <>
      <Facts>
        <Times session={session} />
        <Counts session={session} />
        <Talk session={session} />
        <Fact name={texts.session.facts.asOf}>
          <TimeText value={session.asOf} />
        </Fact>
      </Facts>
      <Completeness session={session} />
    </>
  );
}

function Times({ session }: Props) {
  const { started, ended, duration } = texts.session.facts;
  return (
    <>
      <Fact name={started}>
        <TimeText value={session.startedAt} />
      </Fact>
      <Fact name={ended}>
        <TimeText value={session.endedAt} none={texts.common.none.ended} />
      </Fact>
      <Fact name={duration}>
        <SessionLength session={session} />
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
        <RatingText rating={session.rating} count={session.totalRatings} />
      </Fact>
    </>
  );
}

function By({ count, nouns }: { readonly count: number; readonly nouns: readonly [string, string] }) {
  return count === 0 ? null : <span className="hint">{texts.session.facts.by(count, nouns)}</span>;
}

/** The sum is over those of whom talk time is told. So it says how many these are, as soon as everybody is fetched. */
function Talk({ session }: Props) {
  const { talkTime, talkOf } = texts.session.facts;
  const { rows, isComplete } = useSessionPeople(session.roomSessionId);
  const { spokenSource } = session;
  const told = rows.filter(({ spokenSeconds }) => spokenSeconds !== null).length;
  const note = [
    spokenSource && texts.common.talkSources[spokenSource],
    isComplete && told < rows.length && talkOf(told, rows.length),
  ];
  return (
    <Fact name={talkTime} isWide={spokenSource !== null}>
      <TalkTime talk={session} note={note.filter(Boolean).join(', ')} />
    </Fact>
  );
}

function Completeness({ session: { completeness, endedAt } }: Props) {
  const { observed, observedSoFar, inferred, inferredOnly, title, ...missingTexts } = texts.session.completeness;
  const { state, missing } = completeness;
  const complete = endedAt === null ? `… ${observedSoFar}` : `✓ ${observed}`;
  return (
    <section aria-label={title} className={styles.completeness} data-state={state}>
      {state === 'observed' ? <p>{complete}</p> : <p>≈ {missing.length > 0 ? inferred : inferredOnly}</p>}
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
