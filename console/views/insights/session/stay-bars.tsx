import { useMemo } from 'react';
import type { SessionParticipant } from '../../../../client/types.ts';
import { usePreferences } from '../../../app/preferences.tsx';
import { formatPart } from '../../../parts/formats.ts';
import type { TimeWindow } from '../../../parts/time-window/window.ts';
import { texts } from '../../../texts/en.ts';
import styles from './stays.module.css';
import { placeOf, type Stay, staysOf } from './stays.ts';
import type { Known } from './use-connections.ts';

type StayBarsProps = {
  readonly person: SessionParticipant;
  readonly known: Known;
  readonly sessionEndedAt: string | null | undefined;
  readonly window: TimeWindow;
};
type Zone = ReturnType<typeof usePreferences>['zone'];

/** So many stays are said as text. Further ones are counted. */
const mostTexts = 20;

/** The stays of a person as bars, and as text for those who do not see them. While rejoins are not known, one hatched bar. */
export function StayBars({ person, known, sessionEndedAt, window }: StayBarsProps) {
  const { zone } = usePreferences();
  const { joinedAt, leftAt } = person;
  const { connections } = known;
  const isKnown = connections !== undefined && connections.length > 0;
  const stays = useMemo<readonly Stay[]>(() => {
    if (isKnown) return staysOf(connections, { sessionEndedAt, leftAt });
    return [{ from: Date.parse(joinedAt), to: leftAt === null ? undefined : Date.parse(leftAt), hasLeave: true }];
  }, [connections, isKnown, sessionEndedAt, joinedAt, leftAt]);
  const { stayUnknown, stayFailed } = texts.session.people;
  const note = isKnown ? '' : ` (${known.hasFailed ? stayFailed : stayUnknown})`;
  const text = `${textOf(stays, zone)}${note}`;
  return (
    <div className={styles.track} title={text}>
      <span className="visually-hidden">{text}</span>
      {stays.map((stay) => (
        <Bar key={`${stay.from} ${stay.to}`} stay={stay} window={window} isKnown={isKnown} />
      ))}
    </div>
  );
}

type BarProps = { readonly stay: Stay; readonly window: TimeWindow; readonly isKnown: boolean };

function Bar({ stay, window, isKnown }: BarProps) {
  const place = placeOf(stay, window);
  if (!place) return null;
  const kind = !isKnown ? 'unknown' : stay.to === undefined ? 'open' : stay.hasLeave ? 'known' : 'noLeave';
  return (
    <span
      aria-hidden="true"
      className={styles.bar}
      data-kind={kind}
      style={{ left: `${place.start}%`, width: `${place.width}%` }}
    />
  );
}

function textOf(stays: readonly Stay[], zone: Zone): string {
  const { still, stay: range, noLeave, moreStays } = texts.session.people;
  const part = stays.some(({ from, to }) => to !== undefined && to - from < 60_000) ? 'second' : 'minute';
  const told = stays.slice(0, mostTexts).map(({ from, to, hasLeave }) => {
    const end = to === undefined ? still : formatPart(to, zone, part);
    return `${range(formatPart(from, zone, part), end)}${hasLeave || to === undefined ? '' : ` (${noLeave})`}`;
  });
  const more = stays.length - told.length;
  return told.concat(more > 0 ? [moreStays(more)] : []).join(', ');
}
