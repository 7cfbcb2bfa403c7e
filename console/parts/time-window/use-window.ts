import { useEffect, useMemo, useRef, useState } from 'react';
import { readWindow, type TimeWindow, writeWindow } from './window.ts';

type Search = { readonly from?: string | undefined; readonly to?: string | undefined };
type ToAddress = (window: { from: string | undefined; to: string | undefined }, replace: boolean) => void;

/** A window of time, and how to change it. */
export type WindowState = {
  readonly window: TimeWindow;
  readonly extent: TimeWindow;
  /** Shows another window, with an entry of its own in the browser's history. */
  readonly show: (window: TimeWindow) => void;
  /** Moves the window without an entry in the history, as often as the pointer moves. */
  readonly slide: (window: TimeWindow) => void;
};

/** Browsers limit how often a page changes its address. */
const settledMs = 250;

/** Keeps the window of a view in its address. */
export function useTimeWindow(extent: TimeWindow, { from, to }: Search, toAddress: ToAddress): WindowState {
  const given = useMemo(() => readWindow({ from, to }, extent), [from, to, extent]);
  const [sliding, setSliding] = useState<TimeWindow>();
  const latest = useRef(toAddress);
  latest.current = toAddress;
  useEffect(() => {
    if (!sliding) return;
    const timer = setTimeout(() => latest.current(writeWindow(sliding, extent), true), settledMs);
    return () => clearTimeout(timer);
  }, [sliding, extent]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address ends the sliding
  useEffect(() => setSliding(undefined), [from, to]);
  return useMemo(
    () => ({
      window: sliding ?? given,
      extent,
      show: (window) => {
        setSliding(undefined);
        latest.current(writeWindow(window, extent), false);
      },
      slide: setSliding,
    }),
    [sliding, given, extent],
  );
}
