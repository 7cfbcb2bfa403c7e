import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import styles from './scroll-box.module.css';

type ScrollBoxProps = {
  readonly box: RefObject<HTMLElement | null>;
  /** What is in the box, for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
};

/** A box in which a table scrolls. Shadows at its edges say that there is more beside what is shown. */
export function ScrollBox({ box, label, children, onKeyDown }: ScrollBoxProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => markEdges(frame.current, box.current), [box]);
  return (
    <div ref={frame} className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard */}
      <section ref={box} className={styles.box} aria-label={label} tabIndex={0} onKeyDown={onKeyDown}>
        {children}
      </section>
    </div>
  );
}

/** Writes to the frame on which sides of the box there is more, now and whenever that changes. */
function markEdges(frame: HTMLElement | null, box: HTMLElement | null): (() => void) | undefined {
  if (!frame || !box) return;
  const mark = () => {
    const { scrollLeft, scrollWidth, clientWidth } = box;
    frame.dataset.moreBefore = String(scrollLeft > 0);
    frame.dataset.moreAfter = String(scrollLeft + clientWidth < scrollWidth - 1);
  };
  const observer = new ResizeObserver(mark);
  observer.observe(box);
  for (const content of box.children) observer.observe(content);
  box.addEventListener('scroll', mark, { passive: true });
  return () => {
    observer.disconnect();
    box.removeEventListener('scroll', mark);
  };
}
