import { PiiEntityType } from '@aws-sdk/client-transcribe';

/**
 * The local stand-in for Amazon's recognition of personal data. It finds two kinds: numbers that are spoken digit by digit, and a few first
 * names. It accepts all other types and finds nothing of them, so it is good for tests and for nothing else.
 */
export type FoundPii = { readonly from: number; readonly to: number; readonly type: PiiEntityType };

const digits = new Set(['zero', 'oh', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']);
/** What the recognizer often hears instead of a digit. They count as digits between two digits only. */
const soundAlikes = new Set(['to', 'too', 'for', 'ate', 'won', 'o', 'a']);
const fewestDigits = 3;

/** The types of numbers, with the lengths that they usually have. A number of another length is each of them, too. */
const numberTypes: readonly (readonly [PiiEntityType, readonly number[]])[] = [
  [PiiEntityType.PHONE, [7, 10, 11]],
  [PiiEntityType.SSN, [9]],
  [PiiEntityType.CREDIT_DEBIT_NUMBER, [13, 14, 15, 16, 17, 18, 19]],
  [PiiEntityType.PIN, [4, 6]],
  [PiiEntityType.CREDIT_DEBIT_CVV, [3]],
  [PiiEntityType.BANK_ACCOUNT_NUMBER, [12]],
  [PiiEntityType.BANK_ROUTING, []],
];

const firstNames = new Set(['david', 'james', 'john', 'mary', 'michael', 'robert', 'susan', 'thomas']);

/** Finds personal data of these types in the words of an utterance, in the order of the words. */
export function findPii(words: readonly string[], types: readonly PiiEntityType[]): FoundPii[] {
  const isAsked = (type: PiiEntityType): boolean => types.includes(type) || types.includes(PiiEntityType.ALL);
  const found: FoundPii[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const length = numberLength(words, at);
    const type = length >= fewestDigits ? numberType(length, isAsked) : nameType(words[at], isAsked);
    if (type === undefined) continue;
    const to = at + Math.max(length, 1);
    found.push({ from: at, to, type });
    at = to - 1;
  }
  return found;
}

/** How many words from here are digits. */
function numberLength(words: readonly string[], from: number): number {
  const isDigit = (at: number): boolean => digits.has(words[at]?.toLowerCase() ?? '');
  const soundsLikeDigit = (at: number): boolean =>
    soundAlikes.has(words[at]?.toLowerCase() ?? '') && isDigit(at - 1) && isDigit(at + 1);
  if (!isDigit(from)) return 0;
  let to = from + 1;
  while (isDigit(to) || soundsLikeDigit(to)) to += 1;
  return to - from;
}

function numberType(length: number, isAsked: (type: PiiEntityType) => boolean): PiiEntityType | undefined {
  const asked = numberTypes.filter(([type]) => isAsked(type));
  const usual = asked.find(([, lengths]) => lengths.includes(length));
  return (usual ?? asked[0])?.[0];
}

const nameType = (word = '', isAsked: (type: PiiEntityType) => boolean): PiiEntityType | undefined =>
  firstNames.has(word.toLowerCase()) && isAsked(PiiEntityType.NAME) ? PiiEntityType.NAME : undefined;
