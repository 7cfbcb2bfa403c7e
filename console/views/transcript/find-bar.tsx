import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../parts/formats.ts';
import { texts } from '../../texts/en.ts';
import styles from './turns.module.css';
import { matchBeside } from './turns.ts';
import type { ReadingView } from './use-reading.ts';

const pauseMs = 200;

type FindBarProps = {
  readonly view: Pick<ReadingView, 'find' | 'matches' | 'current' | 'go' | 'turns'>;
  /** How many turns the whole transcript has. */
  readonly all: number;
};

/** Finds a text in the turns, and goes from match to match. Enter goes on, and Shift and Enter go back. */
export function FindBar({ view, all }: FindBarProps) {
  const { find: value, matches, current, go, turns } = view;
  const { find, next, previous, turnCount } = texts.transcript;
  const [typed, setTyped] = useTyped(value, (text) => go({ find: text, match: undefined }));
  const step = (by: 1 | -1) => go({ match: String(matchBeside(matches, current, by) + 1) });
  const onKeyDown = ({ key, shiftKey }: KeyboardEvent) => {
    if (key === 'Enter' && typed === value) step(shiftKey ? -1 : 1);
    if (key === 'Escape') setTyped('');
  };
  const isNone = matches.turns.length === 0;
  return (
    <search className={styles.find}>
      <label className={`field ${styles.findField}`}>
        {find}
        <input
          type="search"
          className="input"
          dir="auto"
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <button type="button" className="button" disabled={isNone} onClick={() => step(-1)} aria-label={previous}>
        ↑
      </button>
      <button type="button" className="button" disabled={isNone} onClick={() => step(1)} aria-label={next}>
        ↓
      </button>
      <span role="status" className={styles.count}>
        {value === '' ? turnCount(formatNumber(turns.length), formatNumber(all)) : <Found {...view} />}
      </span>
    </search>
  );
}

function Found({ matches, current }: Pick<ReadingView, 'matches' | 'current'>) {
  const { found, notFoundText } = texts.transcript;
  const count = matches.turns.length;
  return <>{count === 0 ? notFoundText : found(formatNumber(current + 1), formatNumber(count), matches.areMore)}</>;
}

/** What the reader types goes to the address when they stop. */
function useTyped(value: string, onPause: (typed: string) => void) {
  const [typed, setTyped] = useState(value);
  const latest = useRef({ value, onPause });
  latest.current = { value, onPause };
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === latest.current.value) return;
    const timer = setTimeout(() => latest.current.onPause(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped] as const;
}
