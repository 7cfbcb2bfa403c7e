import { existsSync } from 'node:fs';

/** The module that builds the console's pages. It is loaded only if they are deployed, because a bundler comes with it. */
const builder = new URL('../client/build/console.ts', import.meta.url);

/** The folder of the console's pages: `index.html`, and below `assets/` files with a hash in their name. Builds them if they have changed. */
export async function consoleAssets(): Promise<string> {
  if (!existsSync(builder))
    throw new Error('This copy of the repository cannot build the console: client/build/console.ts is missing.');
  const { builtConsole } = (await import(builder.href)) as { readonly builtConsole: () => Promise<string> };
  return builtConsole();
}
