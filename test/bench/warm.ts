import { openProgress } from '#tools/shared/progress-bar.ts';
import { type NumberedRequest, requestsOf } from '../support/requests/requests.ts';
import { type Call, nameOf } from '../support/requests/stand-in.ts';
import { median } from './quantiles.ts';
import type { Finding, Report } from './report.ts';
import { load, type Program, type WarmFunctions, withWarmFunctions } from './warm/functions.ts';
import type { FunctionAnswer } from './warm/warm-process.ts';

const rounds = 2;
/** How often links are signed, and one item is read. */
const ofSigning = { warmups: 300, times: 300 };
/** Invocations of a function by its calls to services, because these take most of its time. */
const invocationsOf = (calls: number) => ({ warmups: Math.ceil(500 / calls), times: Math.ceil(300 / calls) });
const goals = { bare: 1.2, presigning: 0.15 };

/** A function, its request, and the calls that it makes when it is warm. */
type Subject = {
  readonly name: string;
  readonly program: Program;
  readonly bare: Program;
  readonly event: string;
  readonly status: number;
  readonly calls: readonly Call[];
  /** The calls of the first invocation of a process. */
  readonly firstCalls: readonly Call[];
};
type Pair = { readonly own: Cost; readonly bare: Cost };
type Cost = { readonly cpuMs: number; readonly wallMs: number };

/** Compares the processor time of warm functions with that of a bare handler with the same calls, and that of signing a link with one read. */
export async function measureWarm(): Promise<Report> {
  return withWarmFunctions(async (functions) => {
    const subjects: Subject[] = [];
    for (const [name, request] of Object.entries(requestsOf(`${functions.standIn.url}/receiver`)))
      subjects.push(await recorded(functions, name, request));
    const progress = openProgress(process.stderr);
    const pairs = new Map(subjects.map(({ name }) => [name, [] as Pair[]]));
    for (let round = 0; round < rounds; round++) {
      for (const [index, subject] of subjects.entries()) {
        pairs.get(subject.name)?.push(await measured(functions, subject, round));
        progress.show('Measuring the functions', round * subjects.length + index + 1, rounds * subjects.length);
      }
    }
    progress.end();
    return {
      setup: setupText(),
      findings: [
        ...subjects.map((subject) => findingOf(subject, pairs.get(subject.name) ?? [])),
        ...(await presigning(functions, subjects)),
      ],
    };
  });
}

function setupText(): string {
  return (
    'The bundles of the stack run in processes of their own with the environment of the stack. A first process calls ' +
    'the local services, where an organization has some weeks of data, and its second call is recorded. Then each of ' +
    `${rounds} rounds starts a fresh process for the function and one for a bare handler, which makes the recorded calls ` +
    'with plain clients of the SDK (default settings, inputs known in advance), signs as many links with its presigner, and ' +
    'serializes the same answer. Both get the recorded answers of the services, from a server in another process. After ' +
    'invocations with 500 calls, tinybench measures more with 300 by the processor time of the process with all its ' +
    'threads. Both parse the event and serialize the answer as the runtime of Lambda does, and the function writes its log. ' +
    'Ratios are medians of those of the rounds.'
  );
}

/** Sends a function two requests, and keeps the calls of the second one. */
async function recorded(functions: WarmFunctions, name: string, request: NumberedRequest): Promise<Subject> {
  const { standIn } = functions;
  const program = functions.find(name);
  await using loaded = await load(program);
  const once = { status: undefined, times: 0, warmups: 1 };
  await loaded.invoke({ ...once, event: JSON.stringify(request(0)) });
  const firstCalls = standIn.takeCalls();
  const event = JSON.stringify(request(1));
  const { answer } = await loaded.invoke({ ...once, event });
  const { statusCode: status }: FunctionAnswer = JSON.parse(answer);
  const calls = standIn.takeCalls();
  if (status >= 400) throw new Error(`${name} answers with ${status} after ${calls.map(nameOf).join(', ')}.`);
  return { name, program, bare: await functions.bare(calls, answer), event, status, calls, firstCalls };
}

/** One round: which of both is first changes. */
async function measured({ standIn }: WarmFunctions, subject: Subject, round: number): Promise<Pair> {
  const { program, bare, event, status, calls, firstCalls } = subject;
  const cost = async (measuredProgram: Program) => {
    standIn.replay(calls, firstCalls);
    await using loaded = await load(measuredProgram);
    return await loaded.invoke({ event, status, ...invocationsOf(calls.length) });
  };
  if (round % 2 === 0) return { own: await cost(program), bare: await cost(bare) };
  const [bareFirst, own] = [await cost(bare), await cost(program)];
  return { own, bare: bareFirst };
}

function findingOf({ name, calls }: Subject, pairs: readonly Pair[]): Finding {
  const ratios = pairs.map(({ own, bare }) => own.cpuMs / bare.cpuMs);
  return {
    number: 4,
    goal: `warm CPU of ${name}, relative to a bare handler: at most ${goals.bare.toFixed(2)}`,
    figure: median(ratios).toFixed(2),
    spread: `${rangeOf(ratios)}; ${costsOf(pairs)}; ${calls.length} calls`,
    isMet: median(ratios) <= goals.bare,
  };
}

function costsOf(pairs: readonly Pair[]): string {
  const ms = (value: (pair: Pair) => number) => median(pairs.map(value)).toFixed(2);
  const cpu = `${ms(({ own }) => own.cpuMs)} ms versus ${ms(({ bare }) => bare.cpuMs)} ms`;
  return `${cpu}, ${ms(({ own }) => own.wallMs)} ms versus ${ms(({ bare }) => bare.wallMs)} ms by the clock`;
}

function rangeOf(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

/** Signs a link in a process of its own, and compares it with a bare handler that reads one item. */
async function presigning(functions: WarmFunctions, subjects: readonly Subject[]): Promise<Finding[]> {
  const { standIn } = functions;
  const [read] = subjects.flatMap(({ calls }) => calls.filter(({ operation }) => operation === 'GetItem'));
  if (!read) throw new Error('No function reads one item.');
  const bare = await functions.bare(
    [read],
    JSON.stringify({ statusCode: 200, body: read.answer.body.toString('utf8') }),
  );
  const pairs: Pair[] = [];
  let callsOfSigning = 0;
  const event = JSON.stringify({});
  for (let round = 0; round < rounds; round++) {
    const cost = async (program: Program) => {
      const countOf = standIn.replay([read]);
      await using loaded = await load(program);
      const invoked = await loaded.invoke({ event, status: 200, ...ofSigning });
      return { ...invoked, calls: countOf() };
    };
    const own = await cost(functions.presigner());
    callsOfSigning += own.calls;
    pairs.push({ own, bare: await cost(bare) });
  }
  const ratios = pairs.map(({ own, bare: bareCost }) => own.cpuMs / bareCost.cpuMs);
  return [
    {
      number: 9,
      goal: `warm CPU of signing a link, relative to a bare handler that reads one item (R): at most ${goals.presigning}`,
      figure: median(ratios).toFixed(3),
      spread: `${rangeOf(ratios)}; ${costsOf(pairs)}`,
      isMet: median(ratios) <= goals.presigning,
    },
    {
      number: 9,
      goal: 'network calls of signing a link: none',
      figure: String(callsOfSigning),
      spread: `${rounds * (ofSigning.warmups + ofSigning.times)} links`,
      isMet: callsOfSigning === 0,
    },
  ];
}
