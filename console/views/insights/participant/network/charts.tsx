import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSameList } from '../../../../parts/tables/use-same-list.ts';
import type { WindowState } from '../../../../parts/time-window/use-window.ts';
import { WindowButtons, windowKeys } from '../../../../parts/time-window/window-buttons.tsx';
import { texts } from '../../../../texts/en.ts';
import { readOthers, writeOthers } from '../others.ts';
import styles from '../participant.module.css';
import { Chart } from './chart.tsx';
import chartStyles from './charts.module.css';
import { Legend } from './legend.tsx';
import { hasValues, type Line } from './lines.ts';
import type { BadRun } from './minutes.ts';
import type { Mark } from './plot-marks.ts';
import { type Connection, seriesNames } from './samples.ts';
import type { PersonSamples } from './samples-query.ts';
import type { PersonNetwork, SessionNetwork } from './use-network.ts';

type ChartsProps = {
  readonly own: PersonNetwork;
  readonly others: readonly PersonNetwork[];
  readonly network: SessionNetwork;
  readonly samples: PersonSamples;
  readonly runs: readonly BadRun[];
  readonly state: WindowState;
};

/** The four charts with their legend. They share the range of time and the cursor. */
export function Charts({ own, others, network, samples, runs, state }: ChartsProps) {
  const { hidden, toggle } = useHidden();
  const lines = useLines([own, ...others], network);
  const shown = useShown(lines, hidden);
  const marks = useMemo(() => marksOf(samples.connections), [samples.connections]);
  const { charts, pointer, units, unitsOfSession, series, noSeries, onePerson } = texts.participant;
  const isLoaded = network.isComplete && !network.error && [own, ...others].every(isWhole);
  const drawn = useMemo(() => seriesNames.filter((name) => lines.some((line) => hasValues(line, name))), [lines]);
  const progress = <Progress own={own} others={others} network={network} state={state} />;
  if (drawn.length === 0) return progress;
  return (
    <section id="charts" className={styles.section} aria-label={charts}>
      <h2>{charts}</h2>
      <WindowButtons state={state} />
      <Legend lines={lines} hidden={hidden} onToggle={toggle} />
      {progress}
      {/* biome-ignore lint/a11y/useSemanticElements: it groups charts, not fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the range work here, too */}
      <div role="group" aria-label={charts} tabIndex={0} className={chartStyles.plots} onKeyDown={windowKeys(state)}>
        {drawn.map((name) => (
          <Chart key={name} name={name} lines={shown} state={state} bands={runs} marks={marks} />
        ))}
      </div>
      <p className="hint no-print">{pointer}</p>
      <p className="hint">
        {units} {network.lines.length > 0 && unitsOfSession}
      </p>
      {network.isComplete && network.minutes.length > 0 && network.lines.length === 0 && (
        <p className="hint">{onePerson}</p>
      )}
      {isLoaded && seriesNames.map((name) => !drawn.includes(name) && <p key={name}>{noSeries(series[name])}</p>)}
    </section>
  );
}

/** The lines in the order in which they are drawn: the participant last, above all others. */
function useShown(lines: readonly Line[], hidden: readonly string[]): readonly Line[] {
  return useSameList(lines.filter((line) => !hidden.includes(line.key)).toReversed());
}

function useLines(people: readonly PersonNetwork[], { lines }: SessionNetwork): readonly Line[] {
  return useSameList([...people.flatMap((person) => person.lines), ...lines]);
}

function useHidden() {
  const { hide } = useSearch({ from: '/participant' });
  const navigate = useNavigate({ from: '/participant' });
  const hidden = readOthers(hide, undefined, Number.POSITIVE_INFINITY);
  const toggle = (key: string) => {
    const next = hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key];
    void navigate({ search: (before) => ({ ...before, hide: writeOthers(next) }), replace: true, resetScroll: false });
  };
  return { hidden, toggle };
}

function marksOf(connections: readonly Connection[]): Mark[] {
  return connections.flatMap(({ events }) =>
    events.map(({ type, timeStamp }) => ({ type, time: Date.parse(timeStamp) })),
  );
}

/** How much of everything is fetched. */
function Progress({
  own,
  others,
  network,
  state: { extent },
}: Pick<ChartsProps, 'own' | 'others' | 'network' | 'state'>) {
  const { loading, loadingSession } = texts.participant;
  const parts = [own, ...others].map(({ samples, error }) => partOf(samples, error));
  const part = parts.reduce((sum, each) => sum + each, 0) / parts.length;
  const last = network.minutes.at(-1);
  const ofSession = last ? (Date.parse(last.minute) - extent.from) / (extent.to - extent.from) : 0;
  const isWaiting = !network.isComplete && !network.error;
  return (
    <p className="hint no-print" role="status">
      {part < 1 && <span>{loading(Math.floor(part * 100))} </span>}
      {isWaiting && <span>{loadingSession(Math.min(99, Math.max(0, Math.floor(ofSession * 100))))}</span>}
    </p>
  );
}

function isWhole({ samples, error }: PersonNetwork): boolean {
  return !error && partOf(samples, null) === 1;
}

function partOf(samples: PersonSamples | undefined, error: Error | null): number {
  if (error) return 1;
  if (!samples) return 0;
  return samples.to === samples.from ? 1 : (samples.loadedUntil - samples.from) / (samples.to - samples.from);
}
