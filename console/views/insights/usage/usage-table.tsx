import { useMemo } from 'react';
import type { ListQuery } from '../../../app/api.tsx';
import { Notice } from '../../../parts/page/notice.tsx';
import { DataTable } from '../../../parts/tables/data-table.tsx';
import { texts } from '../../../texts/en.ts';
import { usageColumns } from './usage-columns.tsx';
import { type By, groupUsage, pricesOf, sortGroups, sortOfGroups, type UsageGroup } from './usage-figures.ts';
import type { UsageSearch } from './usage-filters.tsx';
import type { UsageQuery } from './usage-query.ts';

type UsageTableProps = {
  readonly usage: UsageQuery;
  readonly by: By;
  readonly search: UsageSearch;
  readonly onSort: (sort: string) => void;
};

/** Usage by day or by room. The page adds up the rows of the service, and sorts what it has added up. */
export function UsageTable({ usage, by, search, onSort }: UsageTableProps) {
  const { caption, empty } = texts.usage;
  const { from, to, price } = search;
  const sort = sortOfGroups(search.sort, by);
  const rows = useMemo(() => sortGroups(groupUsage(usage.rows, by), sort), [usage.rows, by, sort]);
  const columns = useMemo(
    () => usageColumns(by, pricesOf(price), (room) => ({ from, to, price, room })),
    [by, price, from, to],
  );
  const list: ListQuery<UsageGroup> = { ...usage, rows, fetchMore: () => {} }; // the view fetches all rows before it adds up
  return (
    <DataTable
      caption={caption[by]}
      columns={columns}
      list={list}
      rowKey={({ key }) => key}
      sort={sort}
      onSort={onSort}
      empty={<Notice {...empty} kind="hint" />}
    />
  );
}
