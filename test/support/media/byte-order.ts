/** Compares like DynamoDB compares sort keys: by their UTF-8 bytes. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
