import type { ReactNode } from 'react';
import { texts } from '../texts/en.ts';
import styles from './crumbs.module.css';

/** The way up from a view: links to the views above it, the highest one first. */
export function Crumbs({ children }: { readonly children: readonly ReactNode[] | ReactNode }) {
  const links = Array.isArray(children) ? children : [children];
  return (
    <nav aria-label={texts.common.crumbs} className="no-print">
      <ol className={styles.crumbs}>
        {links.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the views above does not change
          <li key={index}>{link}</li>
        ))}
      </ol>
    </nav>
  );
}
