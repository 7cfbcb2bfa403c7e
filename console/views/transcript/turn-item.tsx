import { type MouseEvent, memo, useMemo } from 'react';
import { formatPosition } from '../../parts/formats.ts';
import { NameText } from '../../parts/name-text.tsx';
import { texts } from '../../texts/en.ts';
import styles from './turns.module.css';
import { partsOf, type ReadTurn } from './turns.ts';
import type { ReadingView } from './use-reading.ts';

type TurnItemProps = {
  readonly view: Pick<ReadingView, 'matches' | 'current' | 'target' | 'linkTo' | 'go'>;
  readonly turn: ReadTurn;
  readonly index: number;
  readonly name: string;
  readonly clockStartDate: string;
  readonly isHeard: boolean;
  readonly play: ((seconds: number) => void) | undefined;
};

/** A turn: when, who, and what they said. The time is a link to itself, and plays the recording if there is one. */
export const TurnItem = memo(TurnContent); // the list renders again for each turn that it measures

function TurnContent({ view, turn, index, name, clockStartDate, isHeard, play }: TurnItemProps) {
  const { matches, current, target, linkTo, go } = view;
  const { startSeconds, text } = turn;
  const parts = useMemo(() => partsOf(text, index, matches), [text, index, matches]);
  const time = formatPosition(Math.floor(startSeconds));
  const at = new Date(Date.parse(clockStartDate) + startSeconds * 1000);
  const { jumpTo, playFrom, heard } = texts.transcript;
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // the browser opens the link elsewhere
    event.preventDefault();
    go({ t: String(startSeconds) });
    play?.(startSeconds);
  };
  return (
    <div className={styles.turn} data-target={target === index} data-heard={isHeard}>
      <a
        href={linkTo(startSeconds)}
        className={styles.time}
        title={Number.isNaN(+at) ? undefined : at.toISOString()}
        aria-label={play ? playFrom(time) : jumpTo(time)}
        aria-current={target === index ? 'location' : undefined}
        onClick={follow}
      >
        {isHeard && <span aria-hidden="true">▶ </span>}
        {time}
      </a>
      <p className={styles.speaker}>
        <NameText>{name}</NameText>
        {isHeard && <span className="visually-hidden">, {heard}</span>}
      </p>
      <p className={styles.said} dir="auto">
        {parts.map(({ text: part, match }, place) =>
          match === undefined ? (
            part
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
            <mark key={place} data-current={match === current}>
              {part}
            </mark>
          ),
        )}
      </p>
    </div>
  );
}
