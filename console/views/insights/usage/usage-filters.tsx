import { DayField } from '../../../parts/tables/period-fields.tsx';
import { SearchField } from '../../../parts/tables/search-field.tsx';
import { texts } from '../../../texts/en.ts';
import { type By, pricesOf } from './usage-figures.ts';
import { type Days, daysOfMonth, latestMonths, monthOf } from './usage-period.ts';

/** The search parameters of the view. */
export type UsageSearch = { readonly [name in 'from' | 'to' | 'by' | 'room' | 'price' | 'sort']?: string | undefined };

type UsageFiltersProps = {
  readonly search: UsageSearch;
  readonly days: Days;
  readonly by: By;
  readonly now: number;
  readonly onChange: (changes: UsageSearch) => void;
};

/** The fields that choose the period, the room, the grouping and the price. */
export function UsageFilters({ search, days, by, now, onChange }: UsageFiltersProps) {
  const { from, to, room, roomPlaceholder } = texts.usage;
  return (
    <>
      <MonthField days={days} now={now} onChange={onChange} />
      <DayField
        label={from}
        day={days.from}
        max={days.to}
        onChange={(day) => onChange({ ...days, from: day || undefined })}
      />
      <DayField
        label={to}
        day={days.to}
        min={days.from}
        onChange={(day) => onChange({ ...days, to: day || undefined })}
      />
      <SearchField
        label={room}
        placeholder={roomPlaceholder}
        value={search.room ?? ''}
        onSearch={(name) => onChange({ room: name || undefined })}
      />
      <ByField by={by} onChange={onChange} />
      <PriceField price={search.price} onChange={onChange} />
    </>
  );
}

function MonthField({ days, now, onChange }: Pick<UsageFiltersProps, 'days' | 'now' | 'onChange'>) {
  const { month: label, ownPeriod } = texts.usage;
  const month = monthOf(days, now);
  const months = latestMonths(now, 13);
  const listed = month === undefined || months.includes(month) ? months : [...months, month];
  return (
    <label className="field">
      {label}
      <select
        className="select"
        value={month ?? ''}
        onChange={({ target }) => onChange(daysOfMonth(target.value, now))}
      >
        {month === undefined && <option value="">{ownPeriod}</option>}
        {listed.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

function ByField({ by, onChange }: Pick<UsageFiltersProps, 'by' | 'onChange'>) {
  const { label, day, room } = texts.usage.by;
  const choose = (value: string) => onChange({ by: value === 'room' ? 'room' : undefined, sort: undefined });
  return (
    <label className="field">
      {label}
      <select className="select" value={by} onChange={({ target }) => choose(target.value)}>
        <option value="day">{day}</option>
        <option value="room">{room}</option>
      </select>
    </label>
  );
}

type PriceFieldProps = { readonly price: string | undefined; readonly onChange: (changes: UsageSearch) => void };

function PriceField({ price, onChange }: PriceFieldProps) {
  return (
    <label className="field">
      {texts.usage.price}
      <input
        type="number"
        className="input"
        min="0"
        step="any"
        value={price ?? ''}
        placeholder={pricesOf(undefined).join(' / ')}
        onChange={({ target }) => onChange({ price: target.value || undefined })}
      />
    </label>
  );
}
