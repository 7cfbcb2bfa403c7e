import styles from './name-text.module.css';

type NameTextProps = {
  readonly children: string;
  /** Cuts a long name with an ellipsis; its title has all of it. By default a long name wraps. */
  readonly cut?: boolean;
};

/**
 * A name from outside: of a room, a person, a file. Its direction cannot reach the text around it, invisible controls of direction are shown as
 * what they are, and it never widens the page.
 */
export function NameText({ children, cut = false }: NameTextProps) {
  const shown = shownName(children);
  return (
    <bdi className={cut ? styles.cut : styles.wrapped} title={cut ? shown : undefined}>
      {shown === '' ? ' ' : shown}
    </bdi>
  );
}

/** A name from outside as plain text, with a mark in place of each invisible control. */
export function shownName(name: string): string {
  return name.replace(directionControls, '�');
}

/** Embeddings, overrides and isolates (Unicode Standard Annex 9), and other controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name from outside can have them
const directionControls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
