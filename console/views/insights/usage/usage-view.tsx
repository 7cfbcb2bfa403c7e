import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { pageLimit, useApi } from '../../../app/api.tsx';
import { BarChart } from '../../../parts/charts/bar-chart.tsx';
import { isDrawable } from '../../../parts/charts/bar-chart-data.ts';
import { formatDay } from '../../../parts/formats.ts';
import { useDocumentTitle } from '../../../parts/page/use-document-title.ts';
import { ViewHeader } from '../../../parts/page/view-header.tsx';
import { DownloadButton } from '../../../parts/tables/download-button.tsx';
import { texts } from '../../../texts/en.ts';
import {
  type By,
  groupUsage,
  pricesOf,
  sortGroups,
  sortOfGroups,
  totalOf,
  usageCsv,
  usageSeries,
} from './usage-figures.ts';
import { UsageFilters, type UsageSearch } from './usage-filters.tsx';
import { type Days, everyDay, periodOf, utcDay } from './usage-period.ts';
import { type UsageQuery, useUsage } from './usage-query.ts';
import { UsageTable } from './usage-table.tsx';
import { UsageTotals } from './usage-totals.tsx';

const route = getRouteApi('/usage');

/** Minutes by day and by room, what recognition cost, and the points that are left. */
export function UsageView() {
  const search: UsageSearch = route.useSearch();
  const navigate = route.useNavigate();
  const [now] = useState(Date.now);
  const days = periodOf(search, now);
  const by = search.by === 'room' ? 'room' : 'day';
  const usage = useUsage(days, search.room);
  const change = (changes: UsageSearch) =>
    void navigate({ search: { ...search, ...changes }, replace: 'price' in changes });
  useDocumentTitle(texts.usage.title);
  return (
    <>
      <Header usage={usage} days={days} by={by} search={search} />
      <search className="toolbar no-print">
        <UsageFilters search={search} days={days} by={by} now={now} onChange={change} />
      </search>
      <UsageContent usage={usage} days={days} now={now} by={by} search={search} onSort={(sort) => change({ sort })} />
    </>
  );
}

type PartProps = {
  readonly usage: UsageQuery;
  readonly days: Days;
  readonly by: By;
  readonly search: UsageSearch;
};

function Header({ usage, days, by, search }: PartProps) {
  const { client } = useApi();
  const { title, intro, filename, allRows } = texts.usage;
  const query = { ...days, ...(search.room !== undefined && { roomName: search.room }), limit: pageLimit };
  const shown = () => sortGroups(groupUsage(usage.rows, by), sortOfGroups(search.sort, by));
  const csv = { filename: filename[by], pieces: () => usageCsv(shown(), by, pricesOf(search.price)) };
  return (
    <ViewHeader
      actions={
        <DownloadButton
          label={allRows}
          filename={filename.rows}
          pieces={() => client.insights.listUsage(query).text('csv')}
        />
      }
      csv={usage.isComplete ? csv : undefined}
    >
      <h1>{title}</h1>
      <p className="hint">{intro}</p>
    </ViewHeader>
  );
}

type UsageContentProps = PartProps & { readonly now: number; readonly onSort: (sort: string) => void };

function UsageContent({ usage, days, now, by, search, onSort }: UsageContentProps) {
  const { rows, loadRest } = usage;
  const { from, to } = days;
  const { partial, growing, loadRest: loadRestText, chart, priceHint } = texts.usage;
  const data = useMemo(() => usageSeries(groupUsage(rows, 'day'), everyDay({ from, to })), [rows, from, to]);
  return (
    <>
      {rows.length > 0 && <UsageTotals total={totalOf(rows)} prices={pricesOf(search.price)} />}
      {rows.length > 0 && to >= utcDay(now) && <p>{growing}</p>}
      <p className="hint">{priceHint}</p>
      {loadRest && (
        <p className="hint no-print">
          {partial(rows.length)}{' '}
          <button type="button" className="button" onClick={loadRest}>
            {loadRestText}
          </button>
        </p>
      )}
      {isDrawable(data) && (
        <BarChart
          label={chart.label}
          data={data}
          zone="utc"
          formatX={(seconds) => formatDay(new Date(seconds * 1000).toISOString(), 'utc')}
        />
      )}
      <UsageTable usage={usage} by={by} search={search} onSort={onSort} />
    </>
  );
}
