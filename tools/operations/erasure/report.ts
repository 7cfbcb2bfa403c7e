import type { Erasure } from './erase-organization.ts';

/** A table of what was removed, and how much of it. */
export function removedTable(removed: ReadonlyMap<string, number>): string {
  const rows = [...removed].map(([name, count]) => [name, String(count)] as const);
  const [nameWidth, countWidth] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([name, count]) => `  ${name.padEnd(nameWidth ?? 0)}  ${count.padStart(countWidth ?? 0)}`).join('\n');
}

/** What could not be removed, why, and what to do; undefined where nothing is left. */
export function whatIsLeft({ left }: Pick<Erasure, 'left'>, command: string): string | undefined {
  const reasons = [
    ...(left.jobs > 0 ? [`Transcribe jobs that still run, and cannot be deleted before they end: ${left.jobs}`] : []),
    ...(left.rows > 0
      ? [`Rooms and sessions that were written meanwhile, since events still arrive: ${left.rows}`]
      : []),
  ];
  return reasons.length === 0
    ? undefined
    : `${reasons.join('\n')}\nNot everything is gone. Run it again:\n  ${command}`;
}
