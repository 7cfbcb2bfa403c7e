import { usePreferences } from '../app/preferences.tsx';
import { texts } from '../texts/en.ts';
import { formatTime } from './formats.ts';

type TimeTextProps = {
  /** ISO 8601, as the API writes it. */
  readonly value: string | null | undefined;
  readonly precision?: 'minute' | 'second' | 'clock';
  /** What to say if there is no time. */
  readonly none?: string;
};

/** A time in the zone that the reader prefers. Its title has the time in UTC, as the API wrote it. */
export function TimeText({ value, precision = 'minute', none = texts.common.none }: TimeTextProps) {
  const { zone } = usePreferences();
  if (!value) return <>{none}</>;
  return (
    <time dateTime={value} title={value}>
      {formatTime(value, zone, precision)}
      {zone === 'utc' && ' UTC'}
    </time>
  );
}
