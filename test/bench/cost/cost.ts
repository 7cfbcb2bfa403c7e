import { wholeProcessorMb } from '#infra/functions/function-memory.ts';
import { transcribeReadings } from '../../support/docs/prices.ts';
import { processorLoad, processorsFromNow } from '../processors.ts';
import type { Finding, Report } from '../report.ts';
import { assumed, authorizerRun, recordingUse, requestUse, samplesUse, sessionUse } from '../uses.ts';
import { dollarsOfUse, sumOfUses, times, transcribeDollars, type Use, withoutLogs } from './bill.ts';
import { type MeasuredCall, type Measures, measureWork } from './cost-measures.ts';
import { billsTable, customerSetup } from './customers.ts';
import { memoryTable } from './memory-sizes.ts';

const usualCustomers = [10, 1_000, 50_000];
const million = 1_000_000;
/** The goals, in dollars, and of Transcribe's own price. */
const goals = { get: 2.05, transcriptions: 2.2, rooms: 2.8, thousandSessions: 0.4, ofTranscribe: 1.01 };

/** Computes what requests, sessions and recordings cost, and bills of customers, from what is measured on a local runner. */
export async function measureCost(rooms: number | undefined): Promise<Report> {
  const busyShare = processorsFromNow();
  const measures = await measureWork();
  const busy = busyShare();
  const { get, transcriptions, rooms: ofRooms } = measures.pages;
  return {
    setup: `${setupOf(get)} ${customerSetup}`,
    findings: [
      requestFinding('get', get, goals.get),
      requestFinding('a page of ten transcriptions', transcriptions, goals.transcriptions),
      requestFinding('a page of ten rooms', ofRooms, goals.rooms),
      sessionFinding(measures),
      ...recordingFindings(measures),
      processorLoad('meanwhile', busy),
    ],
    notes: [
      billsTable(measures, rooms === undefined ? usualCustomers : [rooms]),
      'Prices, with their sources: [prices.ts](../test/support/docs/prices.ts). Two readings of the price of Transcribe exist, until a bill confirms one.',
      workersNote(measures),
      memoryTable(measures),
    ],
  };
}

const setupOf = (get: MeasuredCall) =>
  `List prices of us-east-1. An invocation lasts ${assumed.roundMs} ms for each call that it waits for (estimate), and its processor time, which is longer by ${wholeProcessorMb} MB ÷ its memory. ` +
  `${assumed.coldShare * 100} % of the invocations are cold and take ${assumed.initMs} ms more (estimate). Goals are without logs. The authorizer is called once for ` +
  `${assumed.requestsPerAuthorizer} requests. ${turnOf(get)}`;

/** How many requests a client must send for each call of the authorizer, so that the goal of get is met. */
function turnOf(get: MeasuredCall): string {
  const left = goals.get / million - dollarsOfUse(withoutLogs(requestUse(get)));
  const least = Math.ceil(dollarsOfUse(withoutLogs(authorizerRun)) / left);
  return left > 0
    ? `The goal of get is met by clients that send at least ${least} requests for each call of the authorizer.`
    : 'The goal of get is missed without the authorizer, too.';
}

function requestFinding(what: string, call: MeasuredCall, goal: number): Finding {
  const request = withoutLogs(requestUse(call));
  const dollarsOf = (authorizerShare: number) =>
    million * dollarsOfUse(sumOfUses(request, times(authorizerShare, withoutLogs(authorizerRun))));
  const figure = dollarsOf(1 / assumed.requestsPerAuthorizer);
  const { writes, reads } = call.units;
  return {
    number: 7,
    goal: `a million of ${what}: at most $${goal.toFixed(2)}`,
    figure: `$${figure.toFixed(2)}`,
    spread: `${writes.toFixed(2)} write and ${reads.toFixed(2)} read units, ${taking(call)}; $${dollarsOf(1).toFixed(2)} if each request calls the authorizer`,
    isMet: figure <= goal,
  };
}

function taking({ cpuMs, rounds, cpuOfProcesses, peakMb }: MeasuredCall | Measures['workers']['event']): string {
  const [least, most] = [Math.min(...cpuOfProcesses), Math.max(...cpuOfProcesses)];
  return `${cpuMs.toFixed(1)} ms of a processor (${least.toFixed(1)} to ${most.toFixed(1)}), ${rounds.toFixed(1)} calls one after the other, peak ${Math.round(peakMb)} MB`;
}

function sessionFinding(measures: Measures): Finding {
  const thousand = (use: Use) => 1_000 * dollarsOfUse(withoutLogs(use));
  const events = thousand(sessionUse(measures));
  const samples = thousand(samplesUse(measures, 10));
  return {
    number: 7,
    goal: `1 000 sessions of four people, samples in batches of ten: at most $${goals.thousandSessions.toFixed(2)}`,
    figure: `$${(events + samples).toFixed(3)}`,
    spread: `$${events.toFixed(3)} without samples, and $${samples.toFixed(3)} for these`,
    isMet: events + samples <= goals.thousandSessions,
  };
}

function recordingFindings(measures: Measures): Finding[] {
  const calls = times(assumed.callsOfRecording, requestUse(measures.pages.get));
  const others = dollarsOfUse(withoutLogs(sumOfUses(recordingUse(measures, 60), calls)));
  return Object.entries(transcribeReadings).map(([name, reading]): Finding => {
    const transcribe = transcribeDollars(reading, 60);
    const figure = (transcribe + others) / transcribe;
    return {
      number: 3,
      goal: `a recorded hour (${name} reading): at most ${goals.ofTranscribe} of Transcribe's own price`,
      figure: figure.toFixed(4),
      spread: `$${transcribe.toFixed(2)} for Transcribe, $${others.toFixed(4)} for all else, kept for a month`,
      isMet: figure <= goals.ofTranscribe,
    };
  });
}

function workersNote({ workers, recording }: Measures): string {
  return (
    `Workers: an event of a session alone takes ${taking(workers.event)}; a message with samples alone ${taking(workers.sample)}; ` +
    `ten of them ${taking(workers.tenSamples)}. A recording takes ${recording.writes} write and ${recording.reads} read units until it is ready.`
  );
}
