import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePreferences } from '../../../app/preferences.tsx';
import { badPacketLoss } from '../../../contract.ts';
import { formatPart, formatPercent } from '../../../parts/formats.ts';
import { type TimeWindow, within, writeWindow } from '../../../parts/time-window/window.ts';
import { texts } from '../../../texts/en.ts';
import type { BadRun } from './network/minutes.ts';
import styles from './participant.module.css';

type BadMinutesProps = {
  readonly runs: readonly BadRun[];
  /** How many minutes have packet loss, and how many whole minutes of the stays have none. */
  readonly coverage: { readonly measured: number; readonly unmeasured: number };
  readonly isComplete: boolean;
  readonly extent: TimeWindow;
};

const shownAtFirst = 24;
const minuteMs = 60_000;

/** The bad minutes of the participant, each with a link that shows it in the charts. */
export function BadMinutes({ runs, coverage, isComplete, extent }: BadMinutesProps) {
  const [isAll, setIsAll] = useState(false);
  const { title, definition, showAll, soFar } = texts.participant.bad;
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <p className="hint">{definition(badPacketLoss)}</p>
      <p>
        {summaryOf(runs, coverage)} {isComplete ? restOf(coverage) : soFar}
      </p>
      <ul className={styles.runs} aria-label={title}>
        {runs.slice(0, isAll ? runs.length : shownAtFirst).map((run) => (
          <Run key={run.from} run={run} extent={extent} />
        ))}
      </ul>
      {!isAll && runs.length > shownAtFirst && (
        <button type="button" className="button no-print" onClick={() => setIsAll(true)}>
          {showAll(runs.length)}
        </button>
      )}
    </section>
  );
}

function summaryOf(runs: BadMinutesProps['runs'], { measured }: BadMinutesProps['coverage']): string {
  const { none, noLoss, summary } = texts.participant.bad;
  const minutes = runs.reduce((sum, { from, to }) => sum + (to - from) / minuteMs, 0);
  if (measured === 0) return noLoss;
  return minutes === 0 ? none(measured) : summary(minutes, measured);
}

/** What was not measured of the stays, if anything was measured at all. */
function restOf({ measured, unmeasured: rest }: BadMinutesProps['coverage']): string {
  const { measured: all, unmeasured } = texts.participant.bad;
  if (measured === 0) return '';
  return rest === 0 ? all : unmeasured(rest);
}

function Run({ run, extent }: { readonly run: BadRun; readonly extent: TimeWindow }) {
  const { zone } = usePreferences();
  const { range, minutes, loss, notMeasured } = texts.participant.bad;
  const { from, to } = run;
  const around = Math.max(2 * minuteMs, to - from);
  const window = writeWindow(within({ from: from - around, to: to + around }, extent), extent);
  const percent = (value: number | null) => (value === null ? notMeasured : formatPercent(Math.round(value * 10) / 10));
  return (
    <li>
      <Link
        from="/participant"
        to="."
        search={(before) => ({ ...before, ...window })}
        resetScroll={false}
        preload={false}
        hash="charts"
      >
        {formatPart(from, zone, 'day')}, {range(formatPart(from, zone, 'minute'), formatPart(to, zone, 'minute'))}
      </Link>{' '}
      <span className="hint">
        {minutes((to - from) / minuteMs)}; {loss(percent(run.packetLossSend), percent(run.packetLossRecv))}
      </span>
    </li>
  );
}
