import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** The figures of a view, side by side. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

type FactProps = {
  readonly name: string;
  readonly children: ReactNode;
  /** The value is usually long: it has the room of two. */
  readonly isWide?: boolean;
};

/** One figure of a view: its name and its value. */
export function Fact({ name, children, isWide = false }: FactProps) {
  return (
    <div data-wide={isWide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
