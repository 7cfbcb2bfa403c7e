/**
 * JSON in ASCII. SQS refuses a message with U+FFFE or U+FFFF, which names of people may hold, and the local SQS (fauxqs 2.4.1) also one with
 * an emoji. A reader gets the same text.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
