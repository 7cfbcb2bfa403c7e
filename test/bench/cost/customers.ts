import { transcribeReadings } from '../../support/docs/prices.ts';
import { assumed, atRestUse, authorizerRun, recordingUse, requestUse, samplesUse, sessionUse } from '../uses.ts';
import { billOfUse, dollarsOfUse, sumOfUses, times, transcribeDollars, type Use } from './bill.ts';
import type { Measures } from './cost-measures.ts';

const daysOfMonth = 30;
const authorizedEachMonth = daysOfMonth * 24 * 12; // once in five minutes
const recordedShare = 0.2;
/** The calls of the API for each session, besides those that wait for a recording. */
const callsOfSession = { rooms: 5, transcriptions: 3, get: 2 } as const;

/** What the bills of customers assume. */
export const customerSetup =
  `A customer is one organization in a stage of its own. Each room has one session a day, of ${assumed.minutes} minutes with ${assumed.people} people, who send samples in batches of ten. ` +
  `One session in five is recorded and transcribed, with ${assumed.callsOfRecording} calls. For each session, the customer reads five pages of rooms, three of transcriptions and two ` +
  'transcriptions. Data is kept for a month. Data that leaves AWS, the free tier, taxes and support are not in it.';

/** What a customer uses in a month, and the minutes that Transcribe hears. */
export function monthOf(measures: Measures, roomsADay: number): { readonly use: Use; readonly minutes: number } {
  const sessions = roomsADay * daysOfMonth;
  const recordings = sessions * recordedShare;
  const { rooms, transcriptions, get } = callsOfSession;
  const requests = sessions * (rooms + transcriptions + get) + recordings * assumed.callsOfRecording;
  const { pages } = measures;
  const keptGb = (sessions * assumed.kbOfSession) / 1e6;
  const written = sumOfUses(
    times(sessions, sumOfUses(sessionUse(measures), samplesUse(measures, 10))),
    times(recordings, recordingUse(measures, assumed.minutes)),
    times(sessions * rooms, requestUse(pages.rooms)),
    times(sessions * transcriptions, requestUse(pages.transcriptions)),
    times(sessions * get + recordings * assumed.callsOfRecording, requestUse(pages.get)),
    times(Math.min(requests, authorizedEachMonth), authorizerRun),
    { dynamodbKeptGb: keptGb, dynamodbRecoveryGb: keptGb },
    atRestUse(),
  );
  const use = sumOfUses(written, { logsKeptGb: written.logsWrittenGb ?? 0 });
  return { use, minutes: recordings * assumed.minutes };
}

/** The bills of customers with so many rooms a day, as a table in Markdown, with both readings of the price of Transcribe. */
export function billsTable(measures: Measures, customers: readonly number[]): string {
  const months = customers.map((rooms) => monthOf(measures, rooms));
  const bills = months.map(({ use }) => billOfUse(use));
  const names = [...new Set(bills.flatMap((bill) => bill.map(({ name }) => name)))];
  const row = (name: string, dollars: readonly number[]) =>
    `| ${name} | ${dollars.map((each) => each.toFixed(2)).join(' | ')} |`;
  const sums = months.map(({ use }) => dollarsOfUse(use));
  const byReading = Object.entries(transcribeReadings).flatMap(([name, reading]) => {
    const heard = months.map(({ minutes }) => transcribeDollars(reading, minutes));
    return [
      row(`Transcribe (${name} reading)`, heard),
      row(
        `**all** (${name} reading)`,
        heard.map((dollars, index) => dollars + (sums[index] ?? 0)),
      ),
    ];
  });
  return [
    `| $ a month | ${customers.map((rooms) => `${rooms.toLocaleString('en').replaceAll(',', ' ')} rooms a day`).join(' | ')} |`,
    `| --- |${customers.map(() => ' --- |').join('')}`,
    ...names.map((name) =>
      row(
        name,
        bills.map((bill) => bill.find((item) => item.name === name)?.dollars ?? 0),
      ),
    ),
    row('**sum** without Transcribe', sums),
    ...byReading,
  ].join('\n');
}
