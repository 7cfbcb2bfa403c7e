import type { ReactNode } from 'react';
import styles from './two-lines.module.css';

type TwoLinesProps = {
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** All of it, for lines that do not fit. */
  readonly title?: string | undefined;
};

/** A cell of two lines: what counts most, and what belongs to it in smaller letters. */
export function TwoLines({ first, second, title }: TwoLinesProps) {
  return (
    <span className={styles.lines} title={title}>
      <span>{first}</span>
      <span className={styles.second}>{second}</span>
    </span>
  );
}
