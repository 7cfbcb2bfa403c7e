import type { ReactNode } from 'react';
import styles from './notice.module.css';

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

/** A message in place of content: what is the case, and what the reader can do. */
export function Notice({ title, text, detail, kind = 'problem', children }: NoticeProps) {
  return (
    <section className={styles.notice} data-kind={kind} role={kind === 'problem' ? 'alert' : undefined}>
      <h2 className={styles.title}>{title}</h2>
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
