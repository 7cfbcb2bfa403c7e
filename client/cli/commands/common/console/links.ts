import { addressProblem } from '../../../../addresses.ts';
import type { AccessLink, RecordingLink } from '../../../../types.ts';
import { randomText } from './session.ts';

/** Links to files that the API gave, by the paths that stand for them. */
export type Links = {
  /** Replaces the links in the body of an answer by addresses of this server. Returns other bodies as they are. */
  readonly replaceIn: (body: string, origin: string) => string;
  /** The link behind a path. Undefined if there is none, or if it has expired. */
  readonly find: (path: string) => string | undefined;
};

/** Where the files behind links are. */
export const filesPath = '/files/';

/** The answers whose links are replaced: those of transcripts and of recordings. */
export const linkAnswers = /^\/v1\/transcriptions\/[^/]+\/(access|recording)-link$/;

/** The fields with the link of a transcript, and with that of a recording. */
const linkFields: readonly string[] = ['accessLink', 'url'] satisfies (keyof AccessLink | keyof RecordingLink)[];

const most = 1000;
const usualLifeMs = 3_600_000;

/** An empty list of links. It keeps the latest thousand, each until it expires. */
export function createLinks(now: () => number = Date.now): Links {
  const links = new Map<string, { readonly link: string; readonly expires: number }>();
  const add = (link: string, expires: number): string => {
    for (const [path, { expires: end }] of links) if (end <= now() || links.size >= most) links.delete(path);
    const path = `${filesPath}${randomText()}`;
    links.set(path, { link, expires });
    return path;
  };
  return {
    replaceIn: (body, origin) => {
      const answer = parsed(body);
      if (!answer) return body;
      const expires = expiryOf(answer) ?? now() + usualLifeMs;
      const replace = (name: string, value: unknown) =>
        linkFields.includes(name) && isLink(value) ? `${origin}${add(value, expires)}` : value;
      const fields = Object.entries(answer).map(([name, value]) => [name, replace(name, value)]);
      return JSON.stringify(Object.fromEntries(fields));
    },
    find: (path) => {
      const found = links.get(path);
      return found && found.expires > now() ? found.link : undefined;
    },
  };
}

/** When a link ends, in epoch milliseconds: `expires` of a transcript, `expiresAt` of a recording. */
function expiryOf({ expires, expiresAt }: Readonly<Record<string, unknown>>): number | undefined {
  if (typeof expires === 'number') return expires;
  const time = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Whether a value is an address of a file. One of http is for this machine only, as that of the API. */
function isLink(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { origin } = new URL(value);
  return addressProblem(origin) === undefined;
}

function parsed(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
