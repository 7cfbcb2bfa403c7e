import { useEffect, useState } from 'react';
import { usePreferences } from '../../app/preferences.tsx';
import { dayOf, endOfDay, lastDayBefore, startOfDay } from '../days.ts';

/** A period: instants as the API takes them, of which `to` is not included. */
export type Period = { readonly from?: string | undefined; readonly to?: string | undefined };

type PeriodFieldsProps = {
  readonly period: Period;
  readonly labels: { readonly from: string; readonly to: string };
  readonly onChange: (period: Period) => void;
};

/** Two fields for the days of a period, both included, in the zone that the reader prefers. */
export function PeriodFields({ period, labels, onChange }: PeriodFieldsProps) {
  const { zone } = usePreferences();
  const [from, to] = [dayOf(period.from, zone), lastDayBefore(period.to, zone)];
  return (
    <>
      <DayField
        label={labels.from}
        day={from}
        max={to}
        onChange={(day) => onChange({ ...period, from: startOfDay(day, zone) })}
      />
      <DayField
        label={labels.to}
        day={to}
        min={from}
        onChange={(day) => onChange({ ...period, to: endOfDay(day, zone) })}
      />
    </>
  );
}

type DayFieldProps = {
  readonly label: string;
  readonly day: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
};

/** A field for a day, with the calendar of the browser. An empty text is no day. */
export function DayField({ label, day, min, max, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState(day);
  useEffect(() => setTyped(day), [day]);
  const change = (value: string) => {
    setTyped(value);
    if (value === '' || Number(value.slice(0, 4)) >= 1970) onChange(value); // otherwise the year is still being typed
  };
  return (
    <label className="field">
      {label}
      <input
        type="date"
        className="input"
        value={typed}
        min={min || undefined}
        max={max || undefined}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}
