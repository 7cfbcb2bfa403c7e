/** Scripts in which a joiner between letters changes how they look. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Orya', 'Sinh', 'Syrc']
  .concat('Taml', 'Telu')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const joined = `(?!\\p{Default_Ignorable_Code_Point})[${joining}]`;
/** The signs of those scripts that take the vowel away. */
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca';
const emojiPart = '\\p{Extended_Pictographic}';

/**
 * Invisible characters that change how their neighbours look: joiners between two characters of the scripts above,
 * U+200D also after a virama (RFC 5892, appendix A.2) and between two parts of an emoji, variants of emoji and
 * ideographs, and the tags of a flag.
 */
const meaningful = [
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
  `(?<=[${viramas}])\\u200d`,
  `(?<=${emojiPart}\\p{Emoji_Modifier}?\\ufe0f?)\\u200d(?=${emojiPart})`,
  '(?<=[\\p{Emoji}\\p{Extended_Pictographic}\\p{Ideographic}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007e}]*)[\\u{e0020}-\\u{e007f}]',
].join('|');

/**
 * What nobody sees: what Unicode says may be ignored, controls, annotations, format controls and fillers, and what is
 * no character.
 */
const invisible =
  '[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffc\\u{13430}-\\u{1343f}\\u{16fe4}]';

/**
 * Each character that nobody sees, unless it changes how its neighbours look: the source of a regular expression with
 * the flag `u`.
 */
export const unseenSource = `(?!${meaningful})${invisible}`;

/** Made when a name needs it, because the tables of these scripts take milliseconds. */
let unseen: RegExp | undefined;

/**
 * A name as every transcript and the API show it: in the composed form of Unicode (NFC), with single plain spaces, and
 * without what nobody sees. Empty for a name without a visible character.
 */
export function shownName(name: string): string {
  const spaced = name.toWellFormed().replace(/[\p{White_Space}\u2800\u{13441}\u{13442}\u{1d159}]+/gu, ' ');
  const shown = withoutUnseen(spaced)
    .replace(/^[\p{M} ]+| +$/gu, '') // a mark without a letter would be written over the character before the name
    .normalize('NFC');
  if (shown !== name) return shownName(shown); // what is left can have new neighbours
  return /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(shown) ? shown : '';
}

/**
 * What two names have in common if nobody can tell them apart by what is shown, also if only letter case or the width
 * of letters differs.
 */
export function comparableName(name: string): string {
  const letters = shownName(name)
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC');
  return letters.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
}

function withoutUnseen(name: string): string {
  if (!new RegExp(invisible, 'u').test(name)) return name;
  unseen ??= new RegExp(unseenSource, 'gu');
  return name.replace(unseen, '');
}
