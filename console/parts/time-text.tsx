import { usePreferences } from '../app/preferences.tsx';
import { Figure } from './charts/figure.tsx';
import { formatTime } from './formats.ts';

/** ISO 8601, as the API writes it. What can be missing needs the reason why it is. */
type Given =
  | { readonly value: string; readonly none?: undefined }
  | { readonly value: string | null | undefined; readonly none: string };
type TimeTextProps = Given & { readonly precision?: 'minute' | 'second' | 'clock' };

/** A time in the zone that the reader prefers. Its title has the time in UTC, as the API wrote it. */
export function TimeText({ value, precision = 'minute', none = '' }: TimeTextProps) {
  const { zone } = usePreferences();
  return (
    <Figure value={value} none={none}>
      {(time) => (
        <time dateTime={time} title={time}>
          {formatTime(time, zone, precision)}
          {zone === 'utc' && ' UTC'}
        </time>
      )}
    </Figure>
  );
}
