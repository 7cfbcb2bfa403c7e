import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { type ListQuery, useApi } from '../../app/api.tsx';
import { usePreferences } from '../../app/preferences.tsx';
import { texts } from '../../texts/en.ts';
import { ErrorNotice, Loading } from '../page/async-state.tsx';
import { ScrollBox } from '../page/scroll-box.tsx';
import { usePrinting } from '../page/use-printing.ts';
import styles from './data-table.module.css';

/** A column: its heading, its cells, and the field by which the service can sort. */
export type Column<Row> = {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** The column is the heading of its rows, for screen readers. */
  readonly isRowHeading?: true;
  /** Width of the column, as CSS: `widths` has those of times. Default: 10rem. */
  readonly width?: string;
  readonly sortField?: string;
};

/** The widths of columns with times, to the minute or to the second. They follow the zone that the reader prefers. */
export const widths = { time: 'var(--width-of-time)', second: 'var(--width-of-second)' } as const;

type DataTableProps<Row> = {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  /** Keep the same array between renders: its rows are then rendered once. */
  readonly columns: readonly Column<Row>[];
  readonly list: ListQuery<Row>;
  readonly rowKey: (row: Row) => string;
  /** `field:asc` or `field:desc`. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
  /** What to show if there are no rows. */
  readonly empty: ReactNode;
};

const rowHeight = 40;
/** The next page is fetched when so many rows are left below: more while many points are left. */
const rowsAhead = { fewPoints: 40, manyPoints: 300 };

/**
 * A table of a list of any length: it has only the rows that can be seen, and fetches further pages as the reader comes near their end. A
 * printed page has all rows that are fetched.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { list, empty } = props;
  const { rows, isLoading, error, isComplete, retry } = list;
  const box = useRef<HTMLElement>(null);
  const shown = useShownRows(props, box);
  if (isLoading) return <Loading />;
  if (error && rows.length === 0) return <ErrorNotice error={error} retry={retry} />;
  if (rows.length === 0) return isComplete ? empty : <Loading text={texts.common.searching} />;
  return (
    <>
      <Rows {...props} box={box} shown={shown} />
      <Count list={list} />
      {error && <ErrorNotice error={error} retry={retry} />}
    </>
  );
}

type Shown = {
  readonly indexes: readonly number[];
  readonly before: number;
  readonly after: number;
  readonly isPrinting: boolean;
};

/** The rows that can be seen. Fetches the next page before the reader gets there. */
function useShownRows<Row>({ list, rowKey }: DataTableProps<Row>, box: RefObject<HTMLElement | null>): Shown {
  const { rows, isLoading, error, isComplete, fetchMore } = list;
  const { points } = useApi();
  const isPrinting = usePrinting();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => rowKey(rows[index] as Row),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    const ahead = points.areMany ? rowsAhead.manyPoints : rowsAhead.fewPoints;
    if (!isPrinting && !error && !isLoading && !isComplete && last > rows.length - ahead) fetchMore();
  });
  if (isPrinting) return { indexes: [...rows.keys()], before: 0, after: 0, isPrinting };
  return {
    indexes: items.map(({ index }) => index),
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    isPrinting,
  };
}

type RowsProps<Row> = DataTableProps<Row> & { readonly box: RefObject<HTMLElement | null>; readonly shown: Shown };

function Rows<Row>({ caption, columns, list, rowKey, sort, onSort, box, shown }: RowsProps<Row>) {
  const { rows, isComplete } = list;
  const { zone } = usePreferences();
  return (
    <ScrollBox box={box} label={caption}>
      <table className={styles.table} data-zone={zone} aria-rowcount={isComplete ? rows.length + 1 : -1}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={shown.isPrinting ? {} : { width: width ?? '10rem' }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={shown.before} columns={columns.length} />
          {shown.indexes.map((index) => (
            <MemoizedRow
              key={rowKey(rows[index] as Row)}
              row={rows[index]}
              index={index}
              columns={columns as AnyColumns}
            />
          ))}
          <Space height={shown.after} columns={columns.length} />
        </tbody>
      </table>
    </ScrollBox>
  );
}

type AnyColumns = readonly Column<unknown>[];
type RowProps = { readonly row: unknown; readonly index: number; readonly columns: AnyColumns };

/** While the reader scrolls, only rows that come into sight are made. */
const MemoizedRow = memo(function TableRow({ row, index, columns }: RowProps) {
  return (
    <tr aria-rowindex={index + 2} className={styles.row}>
      {columns.map((column) => (
        <Cell key={column.id} column={column} row={row} />
      ))}
    </tr>
  );
});

function Count({ list }: { readonly list: ListQuery<unknown> }) {
  const { rows, isComplete, isFetchingMore } = list;
  return (
    <p className={styles.count} role="status">
      {isFetchingMore ? texts.common.loadingMore : texts.common.rowsShown(rows.length, isComplete)}
    </p>
  );
}

type HeadingProps<Row> = Pick<DataTableProps<Row>, 'sort' | 'onSort'> & { readonly column: Column<Row> };

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { heading, align, sortField } = column;
  if (sortField === undefined || !onSort)
    return (
      <th scope="col" data-align={align}>
        {heading}
      </th>
    );
  const [field, direction] = sort?.split(':') ?? [];
  const isSorted = field === sortField;
  const next = isSorted && direction === 'desc' ? 'asc' : 'desc';
  const markElement = isSorted && (
    <span aria-hidden="true" className={styles.mark}>
      {direction === 'asc' ? '▲' : '▼'}
    </span>
  );
  return (
    <th
      scope="col"
      data-align={align}
      aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        title={texts.common.sortBy(heading)}
        onClick={() => onSort(`${sortField}:${next}`)}
      >
        {align === 'end' && markElement}
        {heading}
        {align !== 'end' && markElement}
      </button>
    </th>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { cell, align, isRowHeading } = column;
  return isRowHeading ? (
    <th scope="row" data-align={align}>
      {cell(row)}
    </th>
  ) : (
    <td data-align={align}>{cell(row)}</td>
  );
}

/** Stands for the rows that cannot be seen. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} className={styles.space} style={{ height }} />
    </tr>
  );
}
