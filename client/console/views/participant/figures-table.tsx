import { useMemo, useState } from 'react';
import type { SessionMinute } from '../../../types.ts';
import { usePreferences } from '../../app/preferences.tsx';
import { badPacketLoss } from '../../contract.ts';
import { csvLine } from '../../parts/csv.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { formatBitrate, formatNumber, formatTime } from '../../parts/formats.ts';
import { shownName } from '../../parts/name-text.tsx';
import { rowsList } from '../../parts/rows-list.ts';
import type { TimeWindow } from '../../parts/time-window/window.ts';
import { texts } from '../../texts/en.ts';
import { type FigureColumn, type FigureRow, figureColumns, figureRows, type PersonMinutes } from './figures.ts';
import styles from './participant.module.css';

type FiguresProps = {
  readonly people: readonly PersonMinutes[];
  readonly session: readonly SessionMinute[];
  readonly window: TimeWindow;
  readonly id: string;
};

/** What the charts show, as a table by the minute and as CSV. The table is made when the reader opens it. */
export function Figures(props: FiguresProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { title, hint } = texts.participant.figures;
  const { people, session, window, id } = props;
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <p className="hint">{hint}</p>
      <div className="no-print">
        <DownloadButton filename={`participant-${safe(id)}.csv`} pieces={() => csvPieces(people, session, window)} />
      </div>
      <details className={styles.details} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{title}</summary>
        {isOpen && <FiguresTable {...props} />}
      </details>
    </section>
  );
}

/** Ids come from outside, and can have what file names cannot. */
function safe(id: string): string {
  return id.replace(/[^\w-]/g, '_').slice(0, 64);
}

function FiguresTable({ people, session, window }: FiguresProps) {
  const { zone } = usePreferences();
  const { figures } = texts.participant;
  const names = JSON.stringify(people.map(({ name }) => name));
  const columns = useMemo(() => tableColumns(JSON.parse(names), zone), [names, zone]);
  const list = useMemo(() => rowsList(figureRows(people, session, window, badPacketLoss)), [people, session, window]);
  return (
    <DataTable
      caption={figures.caption}
      columns={columns}
      list={list}
      rowKey={({ minute }) => String(minute)}
      empty={<p>{figures.empty}</p>}
    />
  );
}

function tableColumns(names: readonly string[], zone: 'local' | 'utc'): Column<FigureRow>[] {
  const { minute, bad, isBad } = texts.participant.figures;
  return [
    {
      ...{ id: 'minute', heading: minute, isRowHeading: true, width: '12rem' },
      cell: (row) => formatTime(new Date(row.minute).toISOString(), zone),
    },
    { id: 'bad', heading: bad, cell: (row) => (row.isBad ? isBad : texts.common.none), width: '5rem' },
    ...figureColumns(names.length).map(
      (column, index): Column<FigureRow> => ({
        id: String(index),
        heading: headingOf(column, names),
        align: 'end',
        width: '18rem',
        cell: ({ figure }) => formatted(column, figure(column)),
      }),
    ),
  ];
}

function headingOf(column: FigureColumn, names: readonly string[]): string {
  const { figures, series, lines } = texts.participant;
  if (column.series === undefined) return figures[column.kind];
  const title = series[column.series];
  if (column.kind === 'person') return figures.of(title, shownName(names[column.person] ?? ''));
  if (column.kind === 'median') return figures.of(title, lines.median);
  return figures.of(title, column.series.startsWith('packet') ? lines.p95 : lines.p5);
}

function formatted(column: FigureColumn, value: number | null): string {
  return column.series?.startsWith('bitrate') ? formatBitrate(value) : formatNumber(value);
}

/** So many lines make one piece. */
const linesOfPiece = 500;

function* csvPieces(people: readonly PersonMinutes[], session: readonly SessionMinute[], window: TimeWindow) {
  const { minute, bad } = texts.participant.figures;
  const columns = figureColumns(people.length);
  const names = people.map(({ name }) => name);
  yield csvLine([minute, bad, ...columns.map((column) => headingOf(column, names))]);
  const rows = figureRows(people, session, window, badPacketLoss);
  for (let index = 0; index < rows.length; index += linesOfPiece) {
    const lines = rows.slice(index, index + linesOfPiece);
    yield lines
      .map((row) => csvLine([new Date(row.minute).toISOString(), Number(row.isBad), ...columns.map(row.figure)]))
      .join('');
  }
}
