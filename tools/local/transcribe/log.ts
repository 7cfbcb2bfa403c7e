/** Writes a log line with a stable code and facts. Never logs speech. */
export type Log = (code: string, facts: Record<string, string | number>) => void;

/** Writes one line of JSON to standard output. */
export const logToConsole: Log = (code, facts) => console.log(JSON.stringify({ code, ...facts }));
