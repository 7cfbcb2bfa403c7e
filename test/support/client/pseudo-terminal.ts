import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import stringWidth from 'string-width';

/** The environment, the folder and the width of a terminal. */
export type TerminalOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly columns?: number;
};

/** A program in a terminal, operated as a person does. */
export type Terminal = {
  readonly type: (text: string) => void;
  readonly press: (key: keyof typeof keys) => void;
  /**
   * All text that is shown and not erased, including lines that have scrolled off, without trailing blanks. A wrapped line
   * is one line here.
   */
  readonly screen: () => Promise<string>;
  /** Waits until the screen matches, and returns the match. */
  readonly until: (pattern: RegExp, limitMs?: number) => Promise<RegExpExecArray>;
  /** The lines that the terminal wrapped. */
  readonly wrapped: () => Promise<string[]>;
  /** The number of columns in a line before a text. */
  readonly widthBefore: (line: string, text: string) => number;
  /** Whether the cursor is visible. */
  readonly hasCursor: () => boolean;
  /** Every byte that the program has sent. */
  readonly raw: () => string;
  /** The exit code of the program, or 128 plus the number of a signal. */
  readonly exitCode: Promise<number>;
  /** Ends the program and all processes that it started in this terminal. */
  readonly close: () => Promise<void>;
};

const keys = { enter: '\r', tab: '\t', 'ctrl-c': '\u0003', 'ctrl-d': '\u0004', 'ctrl-u': '\u0015' };
const rows = 50;

/** Starts a program in a pseudo terminal. The caller must close it. */
export function startTerminal(
  [program = '', ...args]: readonly string[],
  { env, cwd, columns = 80 }: TerminalOptions,
): Terminal {
  const display = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  measureAsModernTerminals(display);
  const pty = spawn(program, args, {
    cols: columns,
    rows,
    env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    ...(cwd !== undefined && { cwd }),
  });
  let raw = '';
  let hasEnded = false;
  pty.onData((data) => {
    raw += data;
    display.write(data);
  });
  display.onData((answer) => hasEnded || pty.write(answer)); // answers the queries of programs to the terminal
  const exitCode = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      resolve(signal ? 128 + signal : exitCode);
    });
  });
  const lines = async () => {
    await new Promise<void>((resolve) => display.write('', resolve));
    const buffer = display.buffer.active;
    return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)).filter((line) => line !== undefined);
  };
  const screen = async () => {
    const shown = await lines();
    const text = shown.map((line, row) => {
      const goesOn = shown[row + 1]?.isWrapped ?? false;
      return line.translateToString(!goesOn) + (goesOn ? '' : '\n');
    });
    return text.join('').trimEnd();
  };
  return {
    type: (text) => pty.write(text),
    press: (key) => pty.write(keys[key]),
    screen,
    async until(pattern, limitMs = 10_000) {
      for (const limit = Date.now() + limitMs; ; await pause(20)) {
        const shown = await screen();
        const match = pattern.exec(shown);
        if (match) return match;
        if (Date.now() > limit) throw new Error(`The terminal does not show ${pattern}:\n${shown}`);
      }
    },
    wrapped: async () => (await lines()).filter((line) => line.isWrapped).map((line) => line.translateToString(true)),
    widthBefore: (line, text) => stringWidth(line.slice(0, line.indexOf(text))),
    hasCursor: () => raw.lastIndexOf('\u001b[?25l') <= raw.lastIndexOf('\u001b[?25h'),
    raw: () => raw,
    exitCode,
    async close() {
      if (hasEnded) return;
      try {
        process.kill(-pty.pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has just ended
      }
      await exitCode;
    },
  };
}

/** Replaces the width table of the display, which is from a version of Unicode with narrow emoji. */
function measureAsModernTerminals(display: InstanceType<typeof xterm.Terminal>): void {
  const wcwidth = (codepoint: number) => Math.min(2, stringWidth(String.fromCodePoint(codepoint))) as 0 | 1 | 2;
  display.unicode.register({
    version: 'modern',
    wcwidth,
    // Bits 1 and 2 are the width. Bit 0 says whether the character joins the previous one.
    charProperties(codepoint, before) {
      const widthBefore = (before >> 1) & 3;
      const width = wcwidth(codepoint);
      const joins = width === 0 && widthBefore > 0;
      return ((joins ? widthBefore : width) << 1) | Number(joins);
    },
  });
  display.unicode.activeVersion = 'modern';
}
