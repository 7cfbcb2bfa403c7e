import type { ParticipantSessionDetail } from '../../types.ts';
import { bars, marginColumns, type Values } from './bars.ts';
import type { Screen } from './screen.ts';
import { cut, harmless, short } from './text.ts';

type Samples = ParticipantSessionDetail['samples'];
type Event = ParticipantSessionDetail['events'][number];
type Reduce = (numbers: readonly number[]) => number;

const highest: Reduce = (numbers) => numbers.reduce((most, number) => Math.max(most, number), 0);
const mean: Reduce = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** The charts, and how a chart combines several samples into one column. */
const charts: readonly { readonly title: string; readonly name: keyof Samples; readonly reduce: Reduce }[] = [
  { title: 'Packet loss sent', name: 'packetLossSend', reduce: highest },
  { title: 'Packet loss received', name: 'packetLossRecv', reduce: highest },
  { title: 'Bitrate sent', name: 'bitrateSend', reduce: mean },
  { title: 'Bitrate received', name: 'bitrateRecv', reduce: mean },
];
const titleColumns = Math.max(...charts.map(({ title }) => title.length));
const leastColumns = 30;

/**
 * Four charts of a connection: packet loss and bitrate over time, in both directions. Each is as wide as the terminal (80
 * columns without one), below a line with its figures. Missing samples are blank.
 */
export function networkCharts(detail: ParticipantSessionDetail, { columns = 80, colors }: Screen): string {
  const { samples, sampleRateMs } = detail;
  const count = samples.packetLossSend.length;
  if (count === 0) return [...heading(detail, columns, colors), 'No network samples.'].join('\n');
  const from = Date.parse(detail.samplesFrom);
  const spanMs = count * sampleRateMs;
  const width = Math.max(leastColumns, columns) - marginColumns;
  const lines = charts.flatMap(({ title, name, reduce }) => {
    const text = cut(figures(samples[name]), Math.max(leastColumns, columns) - titleColumns - 2);
    const heading = `${colors.bold(title.padEnd(titleColumns))}  ${text}`;
    const values = toColumns(samples[name], width, reduce);
    const isMeasured = values.some((value) => value !== null);
    return ['', heading, ...(isMeasured ? bars(values, { from, spanMs }) : [])];
  });
  const column = `A column shows ${span(spanMs / width)}: the highest packet loss or the mean bitrate.`;
  return [
    ...heading(detail, columns, colors),
    cut(`Samples from ${utc(from)} to ${utc(from + spanMs)} UTC`, columns),
    ...lines,
    '',
    ...(count > width ? [cut(column, columns)] : []),
    cut('The platform that sends the samples defines their units.', columns),
  ].join('\n');
}

/** The participant, the events, and the user agent. An older deployment tells no events, and a newer one can tell events of other types. */
function heading(detail: ParticipantSessionDetail, columns: number, colors: Screen['colors']): string[] {
  const { displayName, userRole, userAgent, timeStamp } = detail;
  const events: readonly Event[] = detail.events ?? [{ type: 'joined', timeStamp }];
  const who = cut(harmless(`${displayName || '-'} (${userRole || '-'})`), columns);
  const agent = userAgent ? [cut(harmless(userAgent), columns)] : [];
  const told = events.map((event) => cut(harmless(eventLine(event)), columns));
  return [colors.bold(who), ...told, ...agent];
}

function eventLine({ type, timeStamp }: Event): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)} ${utc(Date.parse(timeStamp))} UTC`;
}

function figures(values: Values): string {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length === 0) return 'no samples';
  const least = numbers.reduce((least, number) => Math.min(least, number));
  const missing = (values.length - numbers.length) / values.length;
  const figures = [`min ${short(least)}`, `mean ${short(mean(numbers))}`, `max ${short(highest(numbers))}`];
  return missing === 0 ? figures.join('  ') : `${figures.join('  ')}  missing ${share(missing)}`;
}

/** A percentage that is never rounded to 0 or 100. */
function share(part: number): string {
  if (part < 0.01) return '<1%';
  return `${Math.min(99, Math.round(part * 100))}%`;
}

/** One value for each column of a chart, from the samples of its time range; null if all are missing. */
function toColumns(values: Values, width: number, reduce: Reduce): Values {
  return Array.from({ length: width }, (_, column) => {
    const begin = Math.floor((column * values.length) / width);
    const end = Math.max(begin + 1, Math.floor(((column + 1) * values.length) / width));
    const numbers = values.slice(begin, end).filter((value) => value !== null);
    return numbers.length === 0 ? null : reduce(numbers);
  });
}

function span(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 120) return `${short(seconds)} s`;
  return seconds < 7200 ? `${short(seconds / 60)} min` : `${short(seconds / 3600)} h`;
}

function utc(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
