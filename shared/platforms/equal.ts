import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time for texts of the same length. Texts of different lengths are different. */
export function isEqual(one: string | Buffer, other: string | Buffer): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
