import stringWidth from 'string-width';

const figure = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A number in compact notation, such as `1.25M`, `0.4` or `1e-9`. */
export function short(number: number): string {
  return number > 0 && number < 0.001 ? number.toExponential(1).replace('.0', '') : figure.format(number);
}

const segmenter = new Intl.Segmenter('en');

/** Characters that would break a line of output, such as line breaks and tabs. */
const breaks = /[\t-\r\x85\u2028\u2029]+/gu;
/** Other characters that a terminal executes: control characters, and those that change the direction of writing. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line without control characters. Names come from strangers and can contain escape sequences. */
export function harmless(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(controls, '\u{fffd}');
}

/** A text of several lines without control characters. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

/** Shortens a text to a number of columns. A shortened text ends in an ellipsis. */
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
