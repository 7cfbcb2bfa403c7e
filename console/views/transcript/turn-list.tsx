import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { usePrinting } from '../../parts/page/use-printing.ts';
import { texts } from '../../texts/en.ts';
import { TurnItem } from './turn-item.tsx';
import styles from './turns.module.css';
import type { ReadingView } from './use-reading.ts';

type TurnListProps = {
  readonly view: ReadingView;
  /** The names to show, by the labels of the speakers. */
  readonly names: ReadonlyMap<string, string>;
  readonly clockStartDate: string;
  /** The turn that is heard. -1 if there is none. */
  readonly heard: number;
  /** Plays the recording from a moment. Undefined if there is no recording. */
  readonly play: ((seconds: number) => void) | undefined;
  /** The element above the list that stays in sight. */
  readonly toolsId: string;
};

/** The turns of a transcript of any length. The page has only those that can be seen, and all of them when it is printed. */
export function TurnList({ view, names, clockStartDate, heard, play, toolsId }: TurnListProps) {
  const { turns } = view;
  const list = useRef<HTMLOListElement>(null);
  const { margin, toolsHeight } = usePlaces(list, toolsId);
  const isPrinting = usePrinting();
  const virtualizer = useWindowVirtualizer({
    count: turns.length,
    estimateSize: () => 76,
    overscan: 5,
    scrollMargin: margin,
    scrollPaddingStart: toolsHeight + 8,
    getItemKey: (index) => `${index} ${turns[index]?.startSeconds}`,
  });
  useJumps(view, list, virtualizer.scrollToIndex);
  if (turns.length === 0) return <p className="hint">{texts.transcript.noTurns}</p>;
  const itemOf = (index: number) => {
    const turn = turns[index];
    if (!turn) return null;
    const name = names.get(turn.speaker) ?? turn.speaker;
    const isHeard = heard === index;
    return <TurnItem key={index} {...{ view, turn, index, name, clockStartDate, isHeard, play }} />;
  };
  if (isPrinting) return <ol className={styles.turns}>{turns.map((_turn, index) => itemOf(index))}</ol>;
  return (
    <ol className={styles.turns} ref={list} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={turns.length}
          className={styles.place}
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {itemOf(index)}
        </li>
      ))}
    </ol>
  );
}

/** Where the list begins on the page, and how high the tools above it are. Both change with the width and with what is above. */
function usePlaces(list: RefObject<HTMLOListElement | null>, toolsId: string) {
  const [places, setPlaces] = useState({ margin: 0, toolsHeight: 0 });
  useLayoutEffect(() => {
    const tools = document.getElementById(toolsId);
    const measure = () => {
      const margin = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY);
      const toolsHeight = tools?.offsetHeight ?? 0;
      setPlaces((before) =>
        before.margin === margin && before.toolsHeight === toolsHeight ? before : { margin, toolsHeight },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    if (tools) observer.observe(tools);
    return () => observer.disconnect();
  }, [list, toolsId]);
  return places;
}

type Scroll = (index: number, options: { readonly align: 'start' | 'center' }) => void;

/** Goes to the moment of the address, which gets the focus, and to the match that the reader looks at. */
function useJumps(view: ReadingView, list: RefObject<HTMLOListElement | null>, scroll: Scroll): void {
  const { moment, target, matches, current, find, isMatchAsked } = view;
  const latest = useRef({ target, scroll, turn: -1 });
  latest.current = { target, scroll, turn: matches.turns[current] ?? -1 };
  const isMomentFirst = useRef(moment !== undefined && !isMatchAsked);
  useEffect(() => {
    if (moment === undefined || latest.current.target < 0) return;
    latest.current.scroll(latest.current.target, { align: 'start' });
    focusTurn(list, latest.current.target);
  }, [moment, list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or another match is a reason to go there
  useEffect(() => {
    if (isMomentFirst.current) isMomentFirst.current = false;
    else if (latest.current.turn >= 0) latest.current.scroll(latest.current.turn, { align: 'center' });
  }, [find, current]);
}

/** Focuses the time of a turn as soon as the page has it. */
function focusTurn(list: RefObject<HTMLOListElement | null>, index: number, framesLeft = 60): void {
  const link = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (framesLeft > 0) requestAnimationFrame(() => focusTurn(list, index, framesLeft - 1));
}
