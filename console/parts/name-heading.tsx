import { useState } from 'react';
import { texts } from '../texts/en.ts';
import styles from './name-text.module.css';
import { NameText } from './name-text.tsx';

/** Names of more characters are cut after some lines. */
const cutFrom = 120;

/** A name from outside as the heading of a view. A very long one is cut, and a button shows all of it. */
export function NameHeading({ children }: { readonly children: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = children.length > cutFrom;
  return (
    <>
      <h1 className={isLong && !isWhole ? styles.clamped : undefined}>
        <NameText>{children}</NameText>
      </h1>
      {isLong && (
        <button type="button" className="button no-print" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? texts.common.showLess : texts.common.showWholeName}
        </button>
      )}
    </>
  );
}
