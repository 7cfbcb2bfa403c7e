import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { pageLimit, useApi, useListQuery } from '../../../app/api.tsx';
import { usePreferences } from '../../../app/preferences.tsx';
import { BarChart } from '../../../parts/charts/bar-chart.tsx';
import { isDrawable } from '../../../parts/charts/bar-chart-data.ts';
import { formatTime } from '../../../parts/formats.ts';
import { texts } from '../../../texts/en.ts';
import { sessionsList } from './sessions-list.ts';
import { chartQuery, type RoomSearch, sessionSeries } from './sessions-query.ts';

/** So many sessions are fetched for the chart without being asked for. */
const usualSessions = 5 * pageLimit;

/** Minutes and people of each session over time. A click on a bar opens the session. */
export function SessionChart({ search }: { readonly search: RoomSearch }) {
  const { title, label, part, older } = texts.room.chart;
  const { points } = useApi();
  const { zone } = usePreferences();
  const navigate = useNavigate();
  const { rows, error, isComplete, isFetchingMore, fetchMore } = useListQuery(...sessionsList(chartQuery(search)));
  const data = useMemo(() => sessionSeries(rows), [rows]);
  useEffect(() => {
    if (!error && rows.length > 0 && rows.length < usualSessions && points.areMany) fetchMore();
  });
  if (!isDrawable(data)) return null;
  const open = (index: number) => {
    const session = rows[rows.length - 1 - index];
    if (session) void navigate({ to: '/session', search: { id: session.roomSessionId, room: session.roomName } });
  };
  return (
    <section>
      <h2>{title}</h2>
      <BarChart
        label={label}
        data={data}
        formatX={(seconds) => formatTime(new Date(seconds * 1000).toISOString(), zone)}
        onPick={open}
      />
      {!isComplete && (
        <p className="hint no-print">
          {part(rows.length)}{' '}
          <button type="button" className="button" disabled={isFetchingMore} onClick={fetchMore}>
            {older}
          </button>
        </p>
      )}
    </section>
  );
}
