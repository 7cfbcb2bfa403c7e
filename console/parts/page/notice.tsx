import { type ReactNode, useLayoutEffect, useState } from 'react';
import styles from './notice.module.css';
import { useDocumentTitle } from './use-document-title.ts';

type NoticeProps = {
  readonly title: string;
  readonly text?: string | undefined;
  /** What the service said, word by word. */
  readonly detail?: string | undefined;
  /** `problem` is announced to screen readers at once. */
  readonly kind?: 'problem' | 'hint';
  /** Buttons and links with which the reader goes on. */
  readonly children?: ReactNode;
};

/**
 * A message in place of content: what is the case, and what the reader can do. It is the heading and the title of the page if the view has no
 * other, as one that could not be loaded.
 */
export function Notice({ title, text, detail, kind = 'problem', children }: NoticeProps) {
  const isOnlyHeading = useIsOnlyHeading();
  return (
    <section className={styles.notice} data-kind={kind} role={kind === 'problem' ? 'alert' : undefined}>
      {isOnlyHeading ? <PageHeading>{title}</PageHeading> : <h2 className={styles.title}>{title}</h2>}
      {text !== undefined && <p>{text}</p>}
      {detail !== undefined && (
        <p className={styles.detail} dir="auto">
          {detail}
        </p>
      )}
      {children}
    </section>
  );
}

function useIsOnlyHeading(): boolean {
  const [isOnly, setIsOnly] = useState(false);
  useLayoutEffect(() => setIsOnly(document.querySelector('h1') === null), []);
  return isOnly;
}

function PageHeading({ children }: { readonly children: string }) {
  useDocumentTitle(children);
  return <h1 className={styles.title}>{children}</h1>;
}
