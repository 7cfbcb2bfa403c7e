import type { ReactNode } from 'react';
import type { RoomSessionInsight } from '../../../client/types.ts';
import { texts } from '../../texts/en.ts';
import { formatDuration, formatNumber } from '../formats.ts';

type FigureProps<Value> = {
  readonly value: Value | null | undefined;
  /** Why there is no value. A dash would not tell what nobody told from what is zero. */
  readonly none: string;
  /** What the value rests on, or what it lacks. */
  readonly note?: ReactNode;
  readonly children: (value: Value) => ReactNode;
};

/** A figure that can be unknown: its value, or in its place the reason why there is none. */
export function Figure<Value>({ value, none, note, children }: FigureProps<Value>) {
  if (value === null || value === undefined) return <span className="hint">{none}</span>;
  return (
    <>
      {children(value)}
      {note && <span className="hint"> {note}</span>}
    </>
  );
}

type TalkTimeProps = {
  readonly talk: Pick<RoomSessionInsight, 'spokenSeconds' | 'spokenSource'>;
  readonly note?: ReactNode;
};

/** For how long somebody spoke. Its title says what tells so. */
export function TalkTime({ talk: { spokenSeconds, spokenSource }, note }: TalkTimeProps) {
  return (
    <Figure value={spokenSeconds} none={texts.common.none.told} note={note}>
      {(seconds) => (
        <span title={spokenSource ? texts.common.talkSources[spokenSource] : undefined}>{formatDuration(seconds)}</span>
      )}
    </Figure>
  );
}

type SessionLengthProps = { readonly session: Pick<RoomSessionInsight, 'startedAt' | 'endedAt' | 'asOf'> };

/** How long a session was, or is so far: until its latest event. */
export function SessionLength({ session: { startedAt, endedAt, asOf } }: SessionLengthProps) {
  const length = formatDuration((Date.parse(endedAt ?? asOf) - Date.parse(startedAt)) / 1000);
  return (
    <>
      {length} {endedAt === null && <span className="hint">{texts.common.soFar}</span>}
    </>
  );
}

/** An average rating with a star and the number of ratings, if anybody rated. */
export function RatingText({ rating, count }: { readonly rating: number | null; readonly count: number }) {
  return (
    <Figure value={rating} none={texts.common.none.rated} note={`(${count})`}>
      {(average) => (
        <span title={texts.common.ratingOf(formatNumber(average), count)}>
          <span aria-hidden="true">★ </span>
          {formatNumber(average)}
        </span>
      )}
    </Figure>
  );
}
