import stringWidth from 'string-width';

const figure = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A number in few characters: `1.25M`, `0.4`, `1e-9`. */
export function short(number: number): string {
  return number > 0 && number < 0.001 ? number.toExponential(1).replace('.0', '') : figure.format(number);
}

const segmenter = new Intl.Segmenter('en');

/** Line breaks, tabs and the like, which would break a line of output. */
const breaks = /[\t-\r\x85\u2028\u2029]+/gu;
/** What else a terminal obeys instead of showing it: control characters, and those that turn the direction of writing. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line that a terminal only shows: names come from strangers, who may have put escape sequences into them. */
export function harmless(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(controls, '\u{fffd}');
}

/** A text of many lines without what a terminal would take for a command. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

/** A text that takes at most so many columns; where something was left out it ends in an ellipsis. */
export function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`;
}
