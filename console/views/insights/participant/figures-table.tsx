import { useMemo, useState } from 'react';
import type { SessionMinute } from '../../../../client/types.ts';
import { usePreferences } from '../../../app/preferences.tsx';
import { badPacketLoss } from '../../../contract.ts';
import { Figure } from '../../../parts/charts/figure.tsx';
import { formatBitrate, formatNumber, formatPercent, formatTime } from '../../../parts/formats.ts';
import { type Column, DataTable, widths } from '../../../parts/tables/data-table.tsx';
import { rowsList } from '../../../parts/tables/rows-list.ts';
import type { TimeWindow } from '../../../parts/time-window/window.ts';
import { texts } from '../../../texts/en.ts';
import { type FigureColumn, type FigureRow, figureColumns, figureRows, type PersonMinutes } from './figures.ts';
import { headingOf } from './figures-csv.ts';
import styles from './participant.module.css';

type FiguresProps = {
  readonly people: readonly PersonMinutes[];
  readonly session: readonly SessionMinute[];
  readonly window: TimeWindow;
};

/** What the charts show, as a table by the minute. The table is made when the reader opens it. */
export function Figures(props: FiguresProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { title, hint } = texts.participant.figures;
  if (props.session.length === 0 && props.people.every(({ minutes }) => minutes.length === 0)) return null;
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <p className="hint">{hint}</p>
      <details className={styles.details} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{title}</summary>
        {isOpen && <FiguresTable {...props} />}
      </details>
    </section>
  );
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
  const { minute, bad, isBad, isGood } = texts.participant.figures;
  return [
    {
      ...{ id: 'minute', heading: minute, isRowHeading: true, width: widths.time },
      cell: (row) => formatTime(new Date(row.minute).toISOString(), zone),
    },
    {
      ...{ id: 'bad', heading: bad, width: '8rem' },
      cell: (row) => (
        <Figure value={row.isBad} none={texts.participant.bad.notMeasured}>
          {(is) => (is ? isBad : isGood)}
        </Figure>
      ),
    },
    ...figureColumns(names.length).map(
      (column, index): Column<FigureRow> => ({
        id: String(index),
        heading: headingOf(column, names),
        align: 'end',
        width: '11rem',
        cell: ({ figure }) => (
          <Figure value={figure(column)} none={noneOf(column, figure)}>
            {(value) => formatted(column, value)}
          </Figure>
        ),
      }),
    ),
  ];
}

/** Why a figure is missing: a figure of the session is none if only one person has samples. */
function noneOf({ kind }: FigureColumn, figure: FigureRow['figure']): string {
  const { none, ofOne } = texts.participant.figures;
  return kind !== 'person' && figure({ kind: 'people' }) === 1 ? ofOne : none;
}

function formatted(column: FigureColumn, value: number): string {
  if (column.series === undefined) return formatNumber(value);
  return column.series.startsWith('bitrate') ? formatBitrate(value) : formatPercent(value);
}
