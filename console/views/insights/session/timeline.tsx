import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type Ref, useRef } from 'react';
import type { SessionParticipant } from '../../../../client/types.ts';
import { usePreferences } from '../../../app/preferences.tsx';
import { ScrollBox } from '../../../parts/page/scroll-box.tsx';
import { usePrinting } from '../../../parts/page/use-printing.ts';
import { useWidth } from '../../../parts/page/use-width.ts';
import { offsetOf, type Ticks, ticksOf } from '../../../parts/time-window/ticks.ts';
import type { WindowState } from '../../../parts/time-window/use-window.ts';
import type { TimeWindow } from '../../../parts/time-window/window.ts';
import { windowKeys } from '../../../parts/time-window/window-buttons.tsx';
import { texts } from '../../../texts/en.ts';
import { TimeAxis } from './time-axis.tsx';
import styles from './timeline.module.css';
import { type SessionOfRow, TimelineRow } from './timeline-row.tsx';

type TimelineProps = {
  readonly rows: readonly SessionParticipant[];
  readonly of: SessionOfRow;
  readonly state: WindowState;
};

const rowHeight = 44;
const leastTickPixels = 90;

/** A table of people. Its last column is a picture of their stays on one axis of time, which also says the times as text. */
export function Timeline({ rows, of, state }: TimelineProps) {
  const box = useRef<HTMLElement>(null);
  const axis = useRef<HTMLTableCellElement>(null);
  const width = useWidth(axis);
  const { zone } = usePreferences();
  const { indexes, before, after, measure } = useRowsInSight(rows, box);
  const { window } = state;
  const ticks = ticksOf(window, Math.max(2, width / leastTickPixels), offsetOf(window.from, zone));
  const { caption } = texts.session.people;
  return (
    <ScrollBox box={box} label={caption} onKeyDown={onlyOn(box, windowKeys(state))}>
      <table className={styles.table} aria-rowcount={rows.length + 1} style={gridOf(window, ticks)}>
        <caption className="visually-hidden">{caption}</caption>
        <Head state={state} ticks={ticks} axis={axis} />
        <Space height={before} />
        {indexes.map((index) => (
          <TimelineRow
            key={rowKey(rows[index] as SessionParticipant)}
            index={index}
            person={rows[index] as SessionParticipant}
            of={of}
            window={window}
            measure={measure}
          />
        ))}
        <Space height={after} />
      </table>
    </ScrollBox>
  );
}

type HeadProps = { readonly state: WindowState; readonly ticks: Ticks; readonly axis: Ref<HTMLTableCellElement> };

function Head({ state, ticks, axis }: HeadProps) {
  const { columns } = texts.session.people;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={styles.name}>
          {columns.name}
        </th>
        <th scope="col" className={styles.role}>
          {columns.role}
        </th>
        <th scope="col" className={styles.talk}>
          {columns.talk}
        </th>
        <th scope="col" className={styles.rating}>
          {columns.rating}
        </th>
        <th scope="col" className={styles.device}>
          {columns.device}
        </th>
        <th scope="col" className={styles.lane} ref={axis}>
          <TimeAxis state={state} ticks={ticks} name={columns.stays} />
        </th>
      </tr>
    </thead>
  );
}

/** Keys in fields and on buttons within the box are not for the picture. */
function onlyOn(box: { readonly current: HTMLElement | null }, handle: ReturnType<typeof windowKeys>): typeof handle {
  return (event) => {
    if (event.target === box.current) handle(event);
  };
}

/** A participant id can be in two rooms that use one session id. */
function rowKey({ participantId, joinedAt }: SessionParticipant): string {
  return `${participantId} ${joinedAt}`;
}

function useRowsInSight(rows: readonly SessionParticipant[], box: { readonly current: HTMLElement | null }) {
  const isPrinting = usePrinting();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    getItemKey: (index) => rowKey(rows[index] as SessionParticipant),
  });
  const measure = virtualizer.measureElement;
  if (isPrinting) return { indexes: [...rows.keys()], before: 0, after: 0, measure };
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return { indexes: items.map(({ index }) => index), before, after, measure };
}

/** The lines of the axis through all rows: the place of the first one, and how far they are apart. */
function gridOf(
  { from, to }: TimeWindow,
  { stepMs, times: [first = from] }: ReturnType<typeof ticksOf>,
): CSSProperties {
  const percent = (ms: number) => `${(ms / (to - from)) * 100}%`;
  return { '--first': percent(first - from), '--step': percent(stepMs) } as CSSProperties;
}

function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tbody>
      <tr>
        <td colSpan={6} className={styles.space} style={{ height }} />
      </tr>
    </tbody>
  );
}
