import type { KeyboardEvent } from 'react';
import { texts } from '../../texts/en.ts';
import { TimeText } from '../time-text.tsx';
import type { WindowState } from './use-window.ts';
import { isWhole, panned, zoomed } from './window.ts';
import styles from './window-buttons.module.css';

/** How much one press zooms, and what part of the window it moves. */
const [zoomFactor, panPart] = [2, 0.25];

/** Buttons that zoom and move the range of time, which is written beside them. */
export function WindowButtons({ state }: { readonly state: WindowState }) {
  const { window, extent } = state;
  const { label, zoomIn, zoomOut, earlier, later, whole, shown, until, keys } = texts.timeWindow;
  const isAll = isWhole(window, extent);
  const press = (action: keyof typeof actions) => () => actions[action](state);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div role="group" aria-label={label} className={`${styles.buttons} no-print`} onKeyDown={windowKeys(state)}>
      <button type="button" className="button" aria-label={zoomIn} title={`${zoomIn}. ${keys}`} onClick={press('in')}>
        +
      </button>
      <button
        type="button"
        className="button"
        aria-label={zoomOut}
        title={zoomOut}
        disabled={isAll}
        onClick={press('out')}
      >
        −
      </button>
      <button
        type="button"
        className="button"
        aria-label={earlier}
        title={earlier}
        disabled={window.from <= extent.from}
        onClick={press('earlier')}
      >
        ←
      </button>
      <button
        type="button"
        className="button"
        aria-label={later}
        title={later}
        disabled={window.to >= extent.to}
        onClick={press('later')}
      >
        →
      </button>
      <button type="button" className="button" disabled={isAll} onClick={press('whole')}>
        {whole}
      </button>
      <span className={styles.shown}>
        {shown} <TimeText value={new Date(window.from).toISOString()} precision="second" /> {until}{' '}
        <TimeText value={new Date(window.to).toISOString()} precision="second" />
      </span>
    </div>
  );
}

const actions = {
  in: ({ window, extent, show }: WindowState) => show(zoomed(window, extent, 1 / zoomFactor)),
  out: ({ window, extent, show }: WindowState) => show(zoomed(window, extent, zoomFactor)),
  earlier: ({ window, extent, show }: WindowState) => show(panned(window, extent, -panPart)),
  later: ({ window, extent, show }: WindowState) => show(panned(window, extent, panPart)),
  whole: ({ extent, show }: WindowState) => show(extent),
};

const actionsOfKeys: Readonly<Record<string, keyof typeof actions>> = {
  ...{ '+': 'in', '=': 'in', '-': 'out', '−': 'out', '0': 'whole' },
  ...{ ArrowLeft: 'earlier', ArrowRight: 'later' },
};

/** Handles the keys that zoom and move the range of time, for whatever shows it. */
export function windowKeys(state: WindowState) {
  return (event: KeyboardEvent): void => {
    const action = actionsOfKeys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[action](state);
  };
}
