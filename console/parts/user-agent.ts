import Bowser from 'bowser';

/** What a user agent says of the device and the browser. A part that it does not tell is undefined. */
export type Device = {
  readonly browser: string | undefined;
  readonly system: string | undefined;
  readonly kind: string | undefined;
};

/** Longer ones are no user agents of browsers: the parser's patterns need not read them. */
const longestRead = 1000;

/** What was read lately: lists have the same few user agents again and again. */
const read = new Map<string, Device>();
const mostRead = 500;

/** Reads the user agent that a platform told. */
export function deviceOf(userAgent: string): Device {
  const before = read.get(userAgent);
  if (before) return before;
  if (read.size >= mostRead) read.clear();
  const device = parse(userAgent);
  read.set(userAgent, device);
  return device;
}

function parse(userAgent: string): Device {
  if (userAgent.trim() === '') return { browser: undefined, system: undefined, kind: undefined };
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, longestRead));
  return {
    browser: joined(browser.name, browser.version?.split('.')[0]),
    system: joined(os.name, os.versionName ?? os.version),
    kind: platform.type,
  };
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  const told = parts.filter((part) => part !== undefined && part !== '');
  return told.length === 0 ? undefined : told.join(' ');
}
