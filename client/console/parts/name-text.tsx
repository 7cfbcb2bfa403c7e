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
  const shown = shownName(children);
  return (
    <bdi className={cut ? styles.cut : styles.wrapped} title={cut ? shown : undefined}>
      {shown === '' ? ' ' : shown}
    </bdi>
  );
}

/** A name from outside as plain text, with a mark in place of each invisible character, by which names that look alike differ. */
export function shownName(name: string): string {
  return name.replace(invisible, '�').replace(strayJoiner, '�');
}

/** Controls, marks of direction (Unicode Standard Annex 9), soft hyphens, and spaces and signs without a width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name from outside can have them
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Scripts in which a joiner between letters changes how they look. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Orya', 'Sinh', 'Syrc']
  .concat('Taml', 'Telu')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
/** The signs of those scripts that take the vowel away. */
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca';
const emojiPart = '\\p{Extended_Pictographic}';

/**
 * A joiner (U+200C, U+200D) where it changes nothing that a reader sees. Joiners belong between two characters of the scripts above,
 * and U+200D also after a virama (RFC 5892, appendix A.2) and between two parts of an emoji.
 */
const strayJoiner = new RegExp(
  `(?!(?<=[${joining}]).(?=[${joining}])|(?<=[${viramas}])\\u200d|(?<=[${emojiPart}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=${emojiPart}))` +
    '[\\u200c\\u200d]',
  'gu',
);
