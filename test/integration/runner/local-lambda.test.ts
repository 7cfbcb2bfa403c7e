import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FunctionHost, RequestTooLarge } from '#tools/local/lambda/function-host.ts';
import { openFunctionLog } from '#tools/local/lambda/function-log.ts';
import { eventually } from '../../support/eventually.ts';

/** Starts a host for a handler of a few lines. */
async function hostOf(
  handler: string,
  { timeoutSeconds = 5, memorySizeMb = 128, maxConcurrency = 2, freeLoadMs = 10_000, environment = {} } = {},
) {
  const codeFolder = await mkdtemp(path.join(root, 'function-'));
  await writeFile(
    path.join(codeFolder, 'index.js'),
    handler.includes('exports') ? handler : `exports.handler = ${handler}`,
  );
  const log = openFunctionLog(codeFolder, 'fixture');
  const configuration = {
    name: 'fixture',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:fixture',
    codeFolder,
    handler: 'index.handler',
    logGroupName: 'fixture-logs',
    environment: { GREETING: 'hello', ...environment },
  };
  const host = new FunctionHost({ ...configuration, timeoutSeconds, memorySizeMb, maxConcurrency, freeLoadMs }, log);
  onTestFinished(() => host.stop());
  return { host, readLog: () => readFile(path.join(codeFolder, 'fixture.log'), 'utf8') };
}

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'roomscribe-lambda-'));
  await mkdir(root, { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Code that keeps its thread from doing anything else. */
const waits = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`;
const returned = (value: unknown) => ({ ok: true, payload: JSON.stringify(value) });
const fault = (errorType: string, errorMessage: unknown) => ({
  ok: false,
  fault: expect.objectContaining({ errorType, errorMessage }),
});

describe('a local function', () => {
  it('receives the event and the context as after a JSON round trip', async () => {
    const { host } = await hostOf(`async (event, context) => [
      event, context.functionName, context.memoryLimitInMB, context.awsRequestId.length,
      context.getRemainingTimeInMillis() > 4000, context.getRemainingTimeInMillis() <= 5000,
    ]`);

    const outcome = await host.invoke({ at: new Date(0), nothing: undefined });

    expect(outcome).toEqual(returned([{ at: '1970-01-01T00:00:00.000Z' }, 'fixture', '128', 36, true, true]));
  });

  it('sees its own environment and nothing of the host', async () => {
    const { host } = await hostOf('async () => process.env');

    expect(await host.invoke({})).toEqual(returned({ GREETING: 'hello' }));
  });

  it('stores its compiled code after its first invocation, and does not see the folder', async () => {
    const folder = await mkdtemp(path.join(root, 'compiled-'));
    const { host } = await hostOf('async () => process.env', { environment: { NODE_COMPILE_CACHE: folder } });

    expect(await host.invoke({})).toEqual(returned({ GREETING: 'hello' }));

    await eventually(async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      expect(entries.filter((entry) => entry.isFile())).not.toEqual([]);
    });
  });

  it('keeps its state between invocations', async () => {
    const { host } = await hostOf('let calls = 0; exports.handler = async () => ++calls');

    expect([await host.invoke({}), await host.invoke({})]).toEqual([returned(1), returned(2)]);
  });

  it('handles one invocation at a time per thread, and respects its maximum concurrency', async () => {
    const { host } = await hostOf(`
      const { threadId } = require('node:worker_threads');
      let running = 0;
      exports.handler = async () => {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return [threadId, running--];
      }`);

    const outcomes = await Promise.all(Array.from({ length: 6 }, () => host.invoke({})));

    const answers = outcomes.map((outcome) => JSON.parse(outcome.ok ? outcome.payload : 'null') as [number, number]);
    expect(new Set(answers.map(([thread]) => thread)).size).toBe(2);
    expect(answers.every(([, running]) => running === 1)).toBe(true);
  });

  it('that loads for longer than Lambda waits has the rest of the time of its first invocation', async () => {
    const handler = `${waits(300)}; exports.handler = async (_, context) => context.getRemainingTimeInMillis()`;
    const { host } = await hostOf(handler, { timeoutSeconds: 30, freeLoadMs: 1 });

    const outcomes = [await host.invoke({}), await host.invoke({})];

    const [first = 0, second = 0] = outcomes.map((outcome) => (outcome.ok ? Number(outcome.payload) : Number.NaN));
    expect(first).toBeLessThan(29_750);
    expect(second).toBeGreaterThan(first);
  });

  it('logs its output line by line and unchanged', async () => {
    const { host, readLog } = await hostOf(
      `async () => { console.log('{"a":1}'); process.stderr.write('half '); console.error('whole'); }`,
    );

    expect(await host.invoke({})).toEqual(returned(null));

    await eventually(async () =>
      expect((await readLog()).split('\n').sort()).toEqual(['', 'half whole', '{"a":1}'].sort()),
    );
  });
});

describe('a local function fails one invocation and serves the next', () => {
  const thenFine = (fails: string, timeoutSeconds: number) =>
    hostOf(
      `const { existsSync, writeFileSync } = require('node:fs');
      exports.handler = async () => {
        const seen = __dirname + '/seen';
        if (existsSync(seen)) return 'fine';
        writeFileSync(seen, '');
        ${fails}
      }`,
      { timeoutSeconds },
    );

  it.each([
    ['throws', `throw new TypeError('no')`, fault('TypeError', 'no')],
    ['throws a value that is not an error', `throw 'no'`, fault('string', 'no')],
    ['exits', 'process.exit(3)', fault('Runtime.ExitError', expect.stringContaining('3'))],
    [
      'has an uncaught exception',
      `setTimeout(() => { throw new RangeError('late') }); await new Promise(() => {})`,
      fault('RangeError', 'late'),
    ],
    [
      'leaves a rejection unhandled',
      `Promise.reject(new RangeError('lost')); await new Promise((r) => setTimeout(r, 500))`,
      fault('RangeError', 'lost'),
    ],
    [
      'returns a value that JSON cannot represent',
      'const a = {}; a.a = a; return a',
      fault('Runtime.MarshalError', expect.any(String)),
    ],
    ['never settles', 'await new Promise(() => {})', fault('Sandbox.Timedout', 'Task timed out after 1.00 seconds')],
    ['never leaves its loop', 'for (;;) {}', fault('Sandbox.Timedout', 'Task timed out after 1.00 seconds')],
    [
      'takes all memory',
      'const all = []; for (;;) all.push(new Array(1e6).fill(1))',
      fault('Runtime.OutOfMemory', expect.any(String)),
    ],
    ['returns more than 6 MB', `return 'x'.repeat(7e6)`, fault('Function.ResponseSizeTooLarge', expect.any(String))],
  ])('if it %s', async (what, fails, expected) => {
    const { host, readLog } = await thenFine(fails, what.startsWith('never') ? 1 : 30); // filling the memory takes long on a busy machine

    expect(await host.invoke({})).toEqual(expected);
    expect(await host.invoke({})).toEqual(returned('fine'));
    expect(await readLog()).toMatch(/ERROR|timed out/);
  });

  it('if it does not load within its time', async () => {
    const { host, readLog } = await hostOf(`${waits(60_000)}; exports.handler = 1`, {
      timeoutSeconds: 1,
      freeLoadMs: 1,
    });

    expect(await host.invoke({})).toEqual(fault('Sandbox.Timedout', 'Init phase timed out after 1.00 seconds'));
    expect(await readLog()).toMatch('Init phase timed out');
  });

  it('unless it cannot be loaded: then every invocation fails', async () => {
    const { host } = await hostOf(`throw new Error('no table'); exports.handler = 1`);

    expect(await host.invoke({})).toEqual(fault('Error', 'no table'));
    expect(await host.invoke({})).toEqual(fault('Error', 'no table'));
  });
});

it('a local function never receives an event over 6 MB', async () => {
  const { host } = await hostOf('async () => 1');

  await expect(host.invoke('x'.repeat(6_300_000))).rejects.toThrow(RequestTooLarge);
});
