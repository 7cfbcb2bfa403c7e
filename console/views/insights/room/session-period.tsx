import { PeriodFields } from '../../../parts/tables/period-fields.tsx';
import { texts } from '../../../texts/en.ts';
import { hasPeriod, type RoomSearch } from './sessions-query.ts';

type SessionPeriodProps = { readonly search: RoomSearch; readonly onChange: (changes: RoomSearch) => void };

/** The fields that choose the period of the sessions. */
export function SessionPeriod({ search, onChange }: SessionPeriodProps) {
  const { from, to, clear } = texts.room;
  return (
    <div className="toolbar no-print">
      <PeriodFields period={search} labels={{ from, to }} onChange={onChange} />
      {hasPeriod(search) && (
        <button type="button" className="button" onClick={() => onChange({ from: undefined, to: undefined })}>
          {clear}
        </button>
      )}
    </div>
  );
}
