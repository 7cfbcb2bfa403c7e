import type { ReactNode } from 'react';

type FigureProps<Value> = {
  readonly value: Value | null | undefined;
  /** Why there is no value. A dash would not tell what nobody told from what is zero. */
  readonly none: string;
  /** What the value rests on, or what it lacks. */
  readonly note?: ReactNode;
  readonly children: (value: Value) => ReactNode;
};

/** A figure that can be unknown: its value, or in its place the reason why there is none. */
export function Figure<Value>({ value, none, note, children }: FigureProps<Value>) {
  if (value === null || value === undefined) return <span className="hint">{none}</span>;
  return (
    <>
      {children(value)}
      {note && <span className="hint"> {note}</span>}
    </>
  );
}
