import type { SessionMinute } from '../../../../client/types.ts';
import { badPacketLoss } from '../../../contract.ts';
import { markedName } from '../../../parts/name-text.tsx';
import { csvLine } from '../../../parts/tables/csv.ts';
import type { TimeWindow } from '../../../parts/time-window/window.ts';
import { texts } from '../../../texts/en.ts';
import { type FigureColumn, figureColumns, figureRows, type PersonMinutes } from './figures.ts';

/** The name of the file with the figures of a participant. Ids come from outside, and can have what file names cannot. */
export function figuresFilename(participantId: string): string {
  return texts.participant.figures.filename(participantId.replace(/[^\w-]/g, '_').slice(0, 64));
}

/** The heading of a column of figures, in the table and in CSV. */
export function headingOf(column: FigureColumn, names: readonly string[]): string {
  const { figures, series, lines } = texts.participant;
  if (column.series === undefined) return figures[column.kind];
  const title = series[column.series];
  if (column.kind === 'person') return figures.of(title, markedName(names[column.person] ?? ''));
  if (column.kind === 'median') return figures.of(title, lines.median);
  return figures.of(title, column.series.startsWith('packet') ? lines.p95 : lines.p5);
}

/** So many lines make one piece. */
const linesOfPiece = 500;

/** The figures of a window as CSV: a line for each minute. */
export function* figuresCsv(people: readonly PersonMinutes[], session: readonly SessionMinute[], window: TimeWindow) {
  const { minute, bad } = texts.participant.figures;
  const columns = figureColumns(people.length);
  const names = people.map(({ name }) => name);
  yield csvLine([minute, bad, ...columns.map((column) => headingOf(column, names))]);
  const rows = figureRows(people, session, window, badPacketLoss);
  for (let index = 0; index < rows.length; index += linesOfPiece) {
    const lines = rows.slice(index, index + linesOfPiece);
    yield lines
      .map((row) =>
        csvLine([
          new Date(row.minute).toISOString(),
          row.isBad === null ? null : Number(row.isBad),
          ...columns.map(row.figure),
        ]),
      )
      .join('');
  }
}
