import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { environmentOf, type ServiceUrls } from '#tools/local/lambda/functions.ts';
import type { Stack } from '#tools/local/template/stack.ts';

/** A function that is loaded, and waits for events. */
export type LoadedFunction = (event: object) => Promise<unknown>;

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 29_000 };
const { cache } = createRequire(import.meta.url);
let loaded = 0;

/**
 * Loads a function of the stack anew, so that it remembers nothing. It runs in this process, whose environment becomes that of the function
 * until the next one is loaded: a thread for each function takes more than twice the processor time.
 */
export async function newFunction(stack: Stack, urls: ServiceUrls, name: string): Promise<LoadedFunction> {
  const target = stack.functions.find((each) => each.name === name);
  if (!target) throw new Error(`The stack has no function ${name}.`);
  for (const file of Object.keys(cache)) if (file.startsWith(target.codeFolder)) delete cache[file];
  process.env = environmentOf(target, urls);
  loaded += 1;
  const module = pathToFileURL(path.join(target.codeFolder, 'index.mjs'));
  const { handler } = await import(`${module.href}?${loaded}`);
  return (event) => handler(JSON.parse(JSON.stringify(event)), context);
}
