import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { MeasuredStack } from './measured-stack.ts';

const program = fileURLToPath(new URL('measure.ts', import.meta.url));

/** Measures the functions of a synthesized stack in a process of its own, because each function gets an environment. Throws what went wrong. */
export async function measured(assembly: string): Promise<MeasuredStack> {
  const child = fork(program, [assembly], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  let result: MeasuredStack | undefined;
  child.on('message', (message) => {
    result = message as MeasuredStack;
  });
  await once(child, 'close');
  if (!result) throw new Error(`The functions were not measured: ${complaints}`);
  return result;
}
