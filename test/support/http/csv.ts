/** Parses CSV character by character as RFC 4180 defines it. Throws for text that does not follow it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { value, end } = text[at] === '"' ? quoted(text, at + 1) : plain(text, at);
    row.push(value);
    if (text[end] === ',') at = end + 1;
    else if (text.startsWith('\r\n', end)) {
      rows.push(row);
      row = [];
      at = end + 2;
    } else throw new Error(`Not CSV at ${end}: ${JSON.stringify(text.slice(end, end + 20))}`);
  }
  return rows;
}

/** The rows of CSV with a header line, as objects. */
export function csvObjects(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

function quoted(text: string, start: number): { value: string; end: number } {
  let value = '';
  for (let at = start; at < text.length; at++) {
    if (text[at] !== '"') value += text[at];
    else if (text[at + 1] === '"') value += text[at++];
    else return { value, end: at + 1 };
  }
  throw new Error('A quoted cell does not end.');
}

function plain(text: string, start: number): { value: string; end: number } {
  let end = start;
  while (end < text.length && !',"\r\n'.includes(text[end] ?? '')) end++;
  return { value: text.slice(start, end), end };
}
