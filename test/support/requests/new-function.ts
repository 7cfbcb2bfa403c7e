import { createRequire } from 'node:module';
import path from 'node:path';
import { environmentOf, type ServiceUrls } from '#tools/local/lambda/functions.ts';
import type { Stack } from '#tools/local/template/stack.ts';

/** A function that is loaded, and waits for events. */
export type LoadedFunction = (event: object) => Promise<unknown>;

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 29_000 };
const require = createRequire(import.meta.url);

/**
 * Loads a function of the stack anew, so that it remembers nothing. It runs in this process, whose environment becomes that of the function
 * until the next one is loaded: a thread for each function takes more than twice the processor time.
 */
export function newFunction(stack: Stack, urls: ServiceUrls, name: string): LoadedFunction {
  const target = stack.functions.find((each) => each.name === name);
  if (!target) throw new Error(`The stack has no function ${name}.`);
  for (const file of Object.keys(require.cache)) if (file.startsWith(target.codeFolder)) delete require.cache[file];
  process.env = environmentOf(target, urls);
  const { handler } = require(path.join(target.codeFolder, 'index.js'));
  return (event) => handler(JSON.parse(JSON.stringify(event)), context);
}
