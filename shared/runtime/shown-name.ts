/** Scripts in which a joiner between letters changes how they look. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Orya', 'Sinh', 'Syrc']
  .concat('Taml', 'Telu')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const joined = `(?!\\p{Default_Ignorable_Code_Point})[${joining}]`;
/** The signs of those scripts that take the vowel away. */
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca';
const emojiPart = '\\p{Extended_Pictographic}';
/** An invisible digit or letter of the region whose flag it is. */
const flagTag = '[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]';

/**
 * Invisible characters that change how their neighbours look: joiners between two characters of the scripts above,
 * U+200D also after a virama (RFC 5892, appendix A.2) and between two parts of an emoji, variants of emoji and
 * ideographs, the one of a keycap, and the tags of a well-formed flag.
 */
const meaningful = [
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
  `(?<=[${viramas}])\\u200d`,
  `(?<=${emojiPart}\\p{Emoji_Modifier}?\\ufe0f?)\\u200d(?=${emojiPart})`,
  '(?<=[\\p{Emoji}\\p{Extended_Pictographic}\\p{Ideographic}])(?<![0-9#*])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  `(?<=(?=\\u{1f3f4}${flagTag}{3,6}\\u{e007f})\\u{1f3f4}${flagTag}{0,6})[\\u{e0030}-\\u{e007f}]`,
].join('|');

/**
 * What nobody sees: what Unicode says may be ignored, controls, annotations, format controls and fillers, and what is
 * no character.
 */
const invisible =
  '\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffc\\u{13430}-\\u{1343f}\\u{16fe4}';

/**
 * Each character that nobody sees, unless it changes how its neighbours look: the source of a regular expression with
 * the flag `u`.
 */
export const unseenSource = `(?=[${invisible}])(?!${meaningful})[^]`;

/** Made when a name needs it, because the tables of these scripts take milliseconds. */
let unseen: RegExp | undefined;
const isInvisible = new RegExp(`[${invisible}]`, 'u');
/** A mark without a letter would be written over the character before the name. */
const beforeName = new RegExp(`^[\\p{M} ${invisible}]+`, 'u');
const neverCompared = new RegExp(`[\\p{C}${invisible}]+`, 'gu');

/** So many code units of a name are read. No contract lets so many in; a platform may send them as an id. */
const mostUnits = 2_048;

/**
 * A name as every transcript and the API show it: in the composed form of Unicode (NFC), with single plain spaces, and
 * without what nobody sees. Empty for a name without a visible character.
 */
export function shownName(name: string): string {
  const seen = withoutUnseen(readPart(name));
  const shown = seen.replace(/ {2,}/g, ' ').trimEnd();
  return /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(shown) ? shown : '';
}

/**
 * What two names have in common if nobody can tell them apart by what is shown, also if only letter case, the width of
 * letters or the kind of a hyphen differs.
 */
export function comparableName(name: string): string {
  const letters = readPart(name).replace(neverCompared, '').replace(beforeName, '').normalize('NFKC');
  const folded = letters.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return folded
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The beginning of a name from its first letter on, with plain spaces. Its length bounds what the rest costs. */
function readPart(name: string): string {
  const start = name
    .toWellFormed()
    .slice(0, mostUnits)
    .replace(/[\ud800-\udbff]$/, '');
  return start.replace(/[\p{White_Space}\u2800\u{13441}\u{13442}\u{1d159}]/gu, ' ').replace(beforeName, '');
}

function withoutUnseen(name: string): string {
  if (!isInvisible.test(name)) return name.normalize('NFC');
  unseen ??= new RegExp(unseenSource, 'gu');
  const seen = name.replace(unseen, '');
  const composed = seen.normalize('NFC');
  return composed === seen ? seen : composed.replace(unseen, '').normalize('NFC'); // neighbours can be others now
}
