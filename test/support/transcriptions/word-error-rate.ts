/**
 * The word error rate of a transcript: the smallest number of words to insert, delete or replace to get the reference,
 * divided by the words of the reference. Ignores case and punctuation.
 */
export function wordErrorRate(reference: string, hypothesis: string): number {
  const expected = words(reference);
  const heard = words(hypothesis);
  if (expected.length === 0) return heard.length === 0 ? 0 : 1;
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index);
  for (const [index, word] of expected.entries()) {
    const next = [index + 1];
    for (const [column, other] of heard.entries()) {
      const replaced = (row[column] ?? 0) + (word === other ? 0 : 1);
      const inserted = (next[column] ?? 0) + 1;
      const deleted = (row[column + 1] ?? 0) + 1;
      next.push(Math.min(replaced, inserted, deleted));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / expected.length;
}

/** Words in lower case. Apostrophes stay, because they distinguish words. */
function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
