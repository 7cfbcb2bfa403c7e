/** The order of DynamoDB's sort keys: that of their bytes in UTF-8. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
