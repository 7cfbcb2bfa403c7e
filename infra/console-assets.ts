import { existsSync } from 'node:fs';

/** The module that builds the console's pages. It is loaded only if they are deployed, because a bundler comes with it. */
const builder = new URL('../client/console/build.ts', import.meta.url);

/** Builds the console's pages, and returns the path of their folder: `index.html`, and below `assets/` files with a hash in their name. */
export async function consoleAssets(): Promise<string> {
  if (!existsSync(builder))
    throw new Error('This copy of the repository cannot build the console: client/console/build.ts is missing.');
  const { buildConsole } = (await import(builder.href)) as { readonly buildConsole: () => Promise<string> };
  return buildConsole();
}
