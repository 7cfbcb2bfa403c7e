import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MissingSpan, Speaker } from '../../../client/types.ts';
import { NameText } from '../../parts/name-text.tsx';
import { texts } from '../../texts/en.ts';
import { missingInWords } from './in-words.ts';
import styles from './panels.module.css';

/** So many are shown at first. */
const fewSpans = 5;

type MissingSpansProps = { readonly spans: readonly MissingSpan[]; readonly speakers: readonly Speaker[] };

/** What the transcript lacks: when, whose, and why. */
export function MissingSpans({ spans, speakers }: MissingSpansProps) {
  const [areAllShown, setAreAllShown] = useState(false);
  const { title, more, screen } = texts.transcript.missing;
  if (spans.length === 0) return null;
  const shown = areAllShown ? spans : spans.slice(0, fewSpans);
  return (
    <section className={`${styles.panel} ${styles.missing}`}>
      <h2>{title}</h2>
      <ul>
        {shown.map((span) => {
          const { period, who, isScreen, why } = missingInWords(span, speakers);
          return (
            <li key={`${span.participantId} ${span.source} ${span.from}`}>
              <Link
                to="/transcript"
                search={(before) => ({ ...before, t: String(span.from) })}
                replace
                resetScroll={false}
              >
                {period}
              </Link>
              , <NameText>{who}</NameText>
              {isScreen && ` (${screen})`}: {why}
            </li>
          );
        })}
      </ul>
      {shown.length < spans.length && (
        <button type="button" className="button" onClick={() => setAreAllShown(true)}>
          {more(spans.length)}
        </button>
      )}
    </section>
  );
}
