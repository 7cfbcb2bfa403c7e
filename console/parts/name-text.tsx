import { shownName, unseenSource } from '../../shared/runtime/shown-name.ts';
import { texts } from '../texts/en.ts';
import styles from './name-text.module.css';

type NameTextProps = {
  readonly children: string;
  /** Cuts a long name with an ellipsis; its title has all of it. By default a long name wraps. */
  readonly cut?: boolean;
};

/**
 * A name from outside: of a room, a person, a file. Its direction cannot reach the text around it, invisible characters are shown as
 * what they are, and it never widens the page.
 */
export function NameText({ children, cut = false }: NameTextProps) {
  const shown = markedName(children);
  return (
    <bdi className={cut ? styles.cut : styles.wrapped} title={cut ? shown : undefined}>
      {shown === '' ? ' ' : shown}
    </bdi>
  );
}

/** The name of a person, or in its place that there is none to see. */
export function personName(name: string): string {
  return shownName(name) === '' ? texts.common.noName : name;
}

/** A name from outside as plain text, with a mark in place of each invisible character, by which names that look alike differ. */
export function markedName(name: string): string {
  return name.replace(unseen, '�');
}

const unseen = new RegExp(unseenSource, 'gu');
