import type { Erasure } from './erase-organization.ts';

/** Formats the counts of removed items as a table, one line for each kind. */
export function removedTable(removed: ReadonlyMap<string, number>): string {
  const rows = [...removed].map(([name, count]) => [name, String(count)] as const);
  const [nameWidth, countWidth] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([name, count]) => `  ${name.padEnd(nameWidth ?? 0)}  ${count.padStart(countWidth ?? 0)}`).join('\n');
}

/** Says what could not be removed, why, and which command to repeat. Returns undefined if everything was removed. */
export function describeRemaining({ remaining }: Pick<Erasure, 'remaining'>, command: string): string | undefined {
  const reasons = [
    ...(remaining.jobs > 0
      ? [`Transcribe jobs that are still running and cannot be deleted before they end: ${remaining.jobs}`]
      : []),
    ...(remaining.rows > 0
      ? [`Rooms and sessions that were written during the erasure, because events still arrive: ${remaining.rows}`]
      : []),
  ];
  return reasons.length === 0
    ? undefined
    : `${reasons.join('\n')}\nThe erasure is not complete. Run the command again:\n  ${command}`;
}
