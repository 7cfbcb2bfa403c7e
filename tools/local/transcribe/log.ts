/** Where the server's own log lines go: a stable code and facts; never what was said in a recording. */
export type Log = (code: string, facts: Record<string, string | number>) => void;

/** One line of JSON per event on standard output. */
export const logToConsole: Log = (code, facts) => console.log(JSON.stringify({ code, ...facts }));
