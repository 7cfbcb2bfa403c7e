import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ListQuery } from '../app/api.tsx';
import { texts } from '../texts/en.ts';
import { ErrorNotice, Loading } from './async-state.tsx';
import styles from './data-table.module.css';

/** A column: its heading, its cells, and the field by which the service can sort. */
export type Column<Row> = {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** The column is the heading of its rows, for screen readers. */
  readonly isRowHeading?: true;
  /** Width of the column, as CSS. Default: 10rem. */
  readonly width?: string;
  readonly sortField?: string;
};

type DataTableProps<Row> = {
  /** What the table shows, for screen readers. */
  readonly caption: string;
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
/** The next page is fetched when so many rows are left below. */
const rowsAhead = 60;

/**
 * A table of a list of any length: it has only the rows that can be seen, and fetches further pages as the reader comes near their end. The page
 * itself scrolls. A printed page has all rows that are fetched.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, list, rowKey, empty } = props;
  const { rows, isLoading, error, isComplete, isFetchingMore, fetchMore, retry } = list;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => rowKey(rows[index] as Row),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (!error && !isComplete && rows.length > 0 && last > rows.length - rowsAhead) fetchMore();
  });
  if (isLoading) return <Loading />;
  if (error && rows.length === 0) return <ErrorNotice error={error} retry={retry} />;
  if (rows.length === 0) return <>{empty}</>;
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard */}
      <section ref={box} className={styles.box} aria-label={caption} tabIndex={0}>
        <table className={styles.table} aria-rowcount={isComplete ? rows.length + 1 : -1}>
          <caption className="visually-hidden">{caption}</caption>
          <colgroup>
            {columns.map(({ id, width }) => (
              <col key={id} style={{ width: width ?? '10rem' }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <Heading key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Space height={before} columns={columns.length} />
            {items.map(({ key, index }) => (
              <tr key={key} aria-rowindex={index + 2} className={styles.row}>
                {columns.map((column) => (
                  <Cell key={column.id} column={column} row={rows[index] as Row} />
                ))}
              </tr>
            ))}
            <Space height={after} columns={columns.length} />
          </tbody>
        </table>
      </section>
      <p className={styles.count} role="status">
        {isFetchingMore ? texts.common.loadingMore : texts.common.rowsShown(rows.length, isComplete)}
      </p>
      {error && <ErrorNotice error={error} retry={retry} />}
    </>
  );
}

type HeadingProps<Row> = Pick<DataTableProps<Row>, 'sort' | 'onSort'> & { readonly column: Column<Row> };

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { heading, align, sortField } = column;
  if (sortField === undefined || !onSort) return <th data-align={align}>{heading}</th>;
  const [field, direction] = sort?.split(':') ?? [];
  const isSorted = field === sortField;
  const next = isSorted && direction === 'desc' ? 'asc' : 'desc';
  const mark = isSorted ? (direction === 'asc' ? '▲' : '▼') : '';
  return (
    <th data-align={align} aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <button
        type="button"
        className={styles.sort}
        title={texts.common.sortBy(heading)}
        onClick={() => onSort(`${sortField}:${next}`)}
      >
        {heading}
        <span aria-hidden="true" className={styles.mark}>
          {mark}
        </span>
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
