import { readLogSettings, readTraceId } from './env.ts';
import { versionField } from './names.ts';

/** The levels of log lines, from the least to the most severe. `SILENT` as the least level to be logged logs nothing. */
const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;

const { leastLevel, service, version } = readLogSettings();
const least = (levels as readonly string[]).indexOf(leastLevel);

/**
 * Writes a log line: a JSON object with `level`, `message`, `timestamp` and the facts. The least level to be logged comes from
 * the environment. Alarms use the version to tell new code from old.
 */
export function writeLogLine(
  level: 'INFO' | 'WARN' | 'ERROR',
  message: string,
  facts: Readonly<Record<string, unknown>>,
): void {
  if (levels.indexOf(level) < least) return;
  const time = { timestamp: new Date().toISOString(), service, xray_trace_id: readTraceId(), [versionField]: version };
  const stream = level === 'INFO' ? process.stdout : process.stderr;
  stream.write(`${JSON.stringify({ level, message, ...time, ...facts })}\n`);
}
