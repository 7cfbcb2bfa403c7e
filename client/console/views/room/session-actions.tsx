import { Link } from '@tanstack/react-router';
import { pageLimit, useApi } from '../../app/api.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { PeriodFields } from '../../parts/period-fields.tsx';
import { texts } from '../../texts/en.ts';
import { hasPeriod, type RoomSearch, sessionsQuery } from './sessions-query.ts';

type SessionActionsProps = { readonly search: RoomSearch; readonly onChange: (changes: RoomSearch) => void };

/** The period of the sessions, and what the reader can take along. */
export function SessionActions({ search, onChange }: SessionActionsProps) {
  const { client } = useApi();
  const { from, to, clear, filename, transcriptions } = texts.room;
  return (
    <div className="toolbar no-print">
      <PeriodFields period={search} labels={{ from, to }} onChange={onChange} />
      {hasPeriod(search) && (
        <button type="button" className="button" onClick={() => onChange({ from: undefined, to: undefined })}>
          {clear}
        </button>
      )}
      <div className="actions">
        <Link to="/transcriptions" search={{ room: search.name }} className="button">
          {transcriptions}
        </Link>
        <DownloadButton
          filename={filename}
          pieces={() => client.insights.listRoomSessions({ ...sessionsQuery(search), limit: pageLimit }).text('csv')}
        />
        <button type="button" className="button" onClick={() => print()}>
          {texts.common.print}
        </button>
      </div>
    </div>
  );
}
