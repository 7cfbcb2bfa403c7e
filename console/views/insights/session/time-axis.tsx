import { type PointerEvent, useRef, useState } from 'react';
import { usePreferences } from '../../../app/preferences.tsx';
import { formatPart } from '../../../parts/formats.ts';
import { offsetOf, partsOf, type Ticks } from '../../../parts/time-window/ticks.ts';
import type { WindowState } from '../../../parts/time-window/use-window.ts';
import { within } from '../../../parts/time-window/window.ts';
import styles from './stays.module.css';

type TimeAxisProps = { readonly state: WindowState; readonly ticks: Ticks; readonly name: string };

/** The axis of time above the stays. A drag over it zooms to what it covers; the buttons do the same without a pointer. */
export function TimeAxis({ state, ticks, name }: TimeAxisProps) {
  const { window } = state;
  const { selection, ...handlers } = useDrag(state);
  return (
    <>
      <span className="visually-hidden">{name}</span>
      <div className={styles.axis} aria-hidden="true" {...handlers}>
        {ticks.times.map((time) => (
          <Tick key={time} time={time} stepMs={ticks.stepMs} window={window} />
        ))}
        {selection && (
          <div
            className={styles.selection}
            style={{ left: `${selection.from * 100}%`, width: `${(selection.to - selection.from) * 100}%` }}
          />
        )}
      </div>
    </>
  );
}

type TickProps = { readonly time: number; readonly stepMs: number; readonly window: WindowState['window'] };

function Tick({ time, stepMs, window: { from, to } }: TickProps) {
  const { zone } = usePreferences();
  const part = partsOf(time, stepMs, offsetOf(time, zone));
  const share = (time - from) / (to - from);
  return (
    <span className={styles.tick} data-edge={share > 0.95 ? 'end' : undefined} style={{ left: `${share * 100}%` }}>
      {formatPart(time, zone, part)}
    </span>
  );
}

/** Shorter drags are clicks. */
const leastPixels = 5;

function useDrag({ window, extent, show }: WindowState) {
  const start = useRef<number>(undefined);
  const [selection, setSelection] = useState<{ readonly from: number; readonly to: number }>();
  const shareOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  return {
    selection,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = shareOf(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start.current === undefined) return;
      const at = shareOf(event);
      setSelection({ from: Math.min(start.current, at), to: Math.max(start.current, at) });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const { width } = event.currentTarget.getBoundingClientRect();
      start.current = undefined;
      setSelection(undefined);
      if (!selection || (selection.to - selection.from) * width < leastPixels) return;
      const length = window.to - window.from;
      show(within({ from: window.from + selection.from * length, to: window.from + selection.to * length }, extent));
    },
  };
}
