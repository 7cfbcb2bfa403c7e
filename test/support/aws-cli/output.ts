import { search } from '@aws-lambda-powertools/jmespath';

type Json = Parameters<typeof search>[1];

/** The output of the AWS CLI for an answer: the part that `query` selects, as text or as JSON. */
export function printed(answer: unknown, own: ReadonlyMap<string, string>): string {
  const query = own.get('query');
  const part = query === undefined ? answer : queried(query, answer);
  if (own.get('output') !== 'text') return `${JSON.stringify(part, asBase64, 4)}\n`;
  return Array.isArray(part) && part.length === 0 ? '' : `${text(part)}\n`;
}

/** The AWS CLI prints binary values in base64. */
function asBase64(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The part of an answer that a query selects. */
export function queried(query: string, answer: unknown): unknown {
  return search(query, JSON.parse(JSON.stringify(answer)) as Json);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (Array.isArray(value)) {
    const isTable = value.some((each) => typeof each === 'object' && each !== null);
    return value.map(text).join(isTable ? '\n' : '\t');
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? Object.values(value).map(text).join('\t') : String(value);
}
