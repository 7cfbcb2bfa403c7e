import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { contentSecurityPolicy, type OtherOrigins } from './policy.ts';

/** Where every server has the console. */
export const consolePath = '/console/';

/** What a server answers to a request for a file of the console. */
export type ConsoleAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** The built console, in memory. Answers a path without its query. Undefined if the path is not below `/console/`. */
export type ConsoleFiles = (requested: string) => ConsoleAnswer | undefined;

const page = 'index.html';
/** Names below this folder contain a hash of what the file says, so browsers keep the files. */
const hashed = 'assets/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Reads the built console from its folder. An answer is looked up by the path as it was sent, and never in the file system. Every
 * path below `/console/` that is no file is a view: its answer is the page.
 */
export async function readConsole(folder: string, others: OtherOrigins = {}): Promise<ConsoleFiles> {
  const files = await readFiles(folder);
  const index = files.get(page);
  if (!index) throw new Error(`${folder} has no ${page}: it is not a built console.`);
  const policy = contentSecurityPolicy(others);
  return (requested) => {
    if (requested === consolePath.slice(0, -1)) return redirectTo(consolePath);
    if (!requested.startsWith(consolePath)) return undefined;
    const name = requested.slice(consolePath.length);
    const body = files.get(name);
    if (body) return answer(name, body, policy);
    // The page would be no answer to a script or style that another build has.
    return name.startsWith(hashed) ? plainAnswer(404, 'There is no such file.') : answer(page, index, policy);
  };
}

/** Headers of every answer beside the API: no other site may read or embed it, and no browser guesses its type. */
export const guardingHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** An answer in plain text, for people. It is never cached. */
export function plainAnswer(status: number, text: string): ConsoleAnswer {
  const headers = {
    ...guardingHeaders,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  };
  return { status, headers, body: Buffer.from(`${text}\n`) };
}

/** A redirect within this server. It is never cached. */
export function redirectTo(location: string, more: Readonly<Record<string, string>> = {}): ConsoleAnswer {
  const headers = { ...guardingHeaders, 'cache-control': 'no-store', location, ...more };
  return { status: 303, headers, body: Buffer.alloc(0) };
}

/** `config.json`, which tells the page how to log in. It may have a token, so it is never cached. */
export function configAnswer(config: object): ConsoleAnswer {
  const headers = { ...guardingHeaders, 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(config)) };
}

/** The path of `config.json`. */
export const configPath = `${consolePath}config.json`;

function answer(name: string, body: Buffer, policy: string): ConsoleAnswer {
  const headers = {
    ...guardingHeaders,
    'content-security-policy': policy,
    'content-type': contentTypes[path.extname(name)] ?? 'application/octet-stream',
    'cache-control': name.startsWith(hashed) ? 'private, max-age=31536000, immutable' : 'no-cache',
  };
  return { status: 200, headers, body };
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => !name.startsWith('.')); // the manifest of the build
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
}
