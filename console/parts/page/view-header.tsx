import type { ReactNode } from 'react';
import { texts } from '../../texts/en.ts';
import { DownloadButton, type DownloadButtonProps } from '../tables/download-button.tsx';
import styles from './view-header.module.css';

type ViewHeaderProps = {
  /** The heading of the view. */
  readonly children: ReactNode;
  /** Links to the views above it, the highest one first. */
  readonly crumbs?: readonly ReactNode[];
  /** Buttons and links that only this view has. */
  readonly actions?: ReactNode;
  /** The rows of the view as CSV, if it has a table. */
  readonly csv?: DownloadButtonProps | undefined;
};

/** The top of a view: the way up, its heading, and what the reader can take along, which is in the same place and order everywhere. */
export function ViewHeader({ children, crumbs = [], actions, csv }: ViewHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.heading}>
        {crumbs.length > 0 && <Crumbs links={crumbs} />}
        {children}
      </div>
      <div className={`${styles.actions} no-print`}>
        {actions}
        {csv && <DownloadButton {...csv} />}
        <button type="button" className="button" onClick={() => print()}>
          {texts.common.print}
        </button>
      </div>
    </header>
  );
}

function Crumbs({ links }: { readonly links: readonly ReactNode[] }) {
  return (
    <nav aria-label={texts.common.crumbs} className="no-print">
      <ul className={styles.crumbs}>
        {links.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the views above does not change
          <li key={index}>{link}</li>
        ))}
      </ul>
    </nav>
  );
}
