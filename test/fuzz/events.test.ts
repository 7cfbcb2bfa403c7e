import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { roomscribeOf } from '../support/client/typed-client.ts';
import { eventually } from '../support/eventually.ts';
import { api, endpoints, organization, token } from '../support/machine.ts';
import { boundEvents } from './bound-events.ts';
import { constraintsBrokenBy, everyConstraint } from './constraints.ts';
import { isDue, minutesOfDay, sessionsBeyondLimits } from './due-refusals.ts';
import { beyondLimits, historyOf, meetingsOf } from './event-histories.ts';
import { type AnyEvent, brokenRule } from './event-rules.ts';
import { generatedEvent, poolOfIds } from './generated-events.ts';
import { type SentEvent, sendAll, takeDeadLetterIds } from './sent-events.ts';
import { type Outcome, readWorkerLogs, untilNothingIsLeft } from './worker-logs.ts';

const { FUZZ_SEED = '1', FUZZ_EVENTS = '1000', FUZZ_PATIENCE_SECONDS = '60' } = process.env;
const [seed, numRuns] = [Number(FUZZ_SEED), Number(FUZZ_EVENTS)];
/** So few that the refused events of each organization are all listed. */
const eventsOfOrganization = 90;
const listedOfStage = 10_000;
const limitMs = 300_000 + numRuns * 100;
const patienceMs = Number(FUZZ_PATIENCE_SECONDS) * 1000;

const count = Math.max(3, Math.ceil(numRuns / eventsOfOrganization));
const ofHistories = Array.from({ length: count }, organization);
const ofBounds = Array.from({ length: 8 }, organization);
const ofLimits = organization();
const organizations = [...ofHistories, ...ofBounds, ofLimits];
const transcriptsBucket = String(endpoints.buckets.transcripts);
let ended: readonly (SentEvent & Outcome)[] = [];
const accepted = () => ended.filter(({ isDone }) => isDone);
const refused = () => ended.filter(({ isDone }) => !isDone);
const of = (organizationId: string) => (each: SentEvent) => each.event.organizationId === organizationId;

type Named = { readonly data: { readonly [name in 'transcriptionId' | 'recordingId']?: string } };

/** The ids of this kind in the accepted events of an organization, or in those of one type. */
function acceptedIds(organizationId: string, name: keyof Named['data'], type?: string): ReadonlySet<string> {
  const events = accepted()
    .filter(of(organizationId))
    .filter(({ event }) => type === undefined || event.type === type);
  return new Set(events.flatMap(({ event }) => (event as Named).data[name]?.toLowerCase() ?? []));
}

/** Events that meet, events at the bounds of their schema, and events beyond the limits of a session and of a day. */
function eventsToSend(): AnyEvent[] {
  const now = Date.now();
  const made = fc.sample(generatedEvent(ofHistories, now, endpoints.buckets), { seed, numRuns });
  const atBounds = boundEvents(seed, now, (index) => String(ofBounds[index % ofBounds.length]));
  return [...historyOf(made, seed), ...atBounds, ...beyondLimits(ofLimits, now)];
}

/** An id as text, if the list of refused events shows it unchanged. */
function shownId(id: unknown): string {
  return typeof id === 'string' && /^[\x20-\x7e]{1,127}$/.test(id) ? id : '?';
}

describe(`${numRuns} events made from their schema (seed ${seed})`, () => {
  beforeAll(async () => {
    const sent = await sendAll(eventsToSend());
    let { outcomes } = await readWorkerLogs();
    await untilNothingIsLeft(
      'the workers had accepted or refused each event',
      async () => {
        ({ outcomes } = await readWorkerLogs());
        return sent
          .filter(({ messageId }) => !outcomes.has(messageId))
          .map(({ messageId, event }) => `${messageId} ${event.type}`);
      },
      limitMs,
    );
    ended = sent.flatMap((each) => ({ ...each, ...(outcomes.get(each.messageId) as Outcome) }));
  }, limitMs + 60_000);

  test('are accepted if they match it and break no rule that it states, and refused otherwise', () => {
    const wrong = ended.flatMap(({ event, sentAt, isDone, issues }) => {
      const broken = brokenRule(event, { at: sentAt, transcriptsBucket });
      if (isDone === (broken === undefined)) return [];
      if (!isDone && issues.split('; ').every((issue) => isDue(issue, event, ended))) return [];
      const places = constraintsBrokenBy(event).join(' ');
      return { broken: broken && `${broken} ${places}`, was: isDone ? 'accepted' : issues, event };
    });
    expect([...new Map(wrong.map((each) => [each.broken ?? each.was, each])).values()].slice(0, 10)).toEqual([]);
    expect(sessionsBeyondLimits(accepted().map(({ event }) => event))).toEqual([]);
    if (numRuns < 200) return; // a few can all be good
    expect(refused().length, 'refused events').toBeGreaterThan(numRuns / 10);
    expect(accepted().length, 'accepted events').toBeGreaterThan(numRuns / 3);
  });

  test('break each constraint of the schema, and meet each other', () => {
    const broken = new Set(ended.flatMap(({ event }) => constraintsBrokenBy(event)));
    expect(everyConstraint.filter((each) => !broken.has(each))).toEqual([]);
    for (const limit of [/at most 5 rooms/, /fewer than 25 events/])
      expect(refused().filter(({ issues }) => limit.test(issues)).length, String(limit)).toBe(2);
    const meetings = meetingsOf(accepted().map(({ event }) => event));
    for (const [name, each] of Object.entries(meetings))
      if (numRuns >= 200) expect(each, name).toBeGreaterThan(numRuns / 200);
  });

  test(
    'give the insights of an independent count of the accepted ones',
    async () => {
      const differences: string[] = [];
      await inParallel(organizations, 2, async (each) => {
        const events = accepted()
          .filter(of(each))
          .map(({ event }) => event as PlatformEvent);
        const expected = recount(
          each,
          events.filter(({ type }) => type.startsWith('room.') || type === 'fact.retracted'),
        );
        const insights = insightsApi(endpoints.apiUrl, () => token(each));
        const { difference } = await untilApiAgrees(expected, insights, { patienceMs });
        if (difference !== undefined) differences.push(`${each}: ${difference}`);
        const rooms = (await insights.rooms()).map(({ roomName }) => roomName);
        expect(rooms.toSorted()).toEqual(expected.rooms.map(({ roomName }) => roomName).toSorted());
      });
      expect(differences).toEqual([]);
    },
    limitMs,
  );

  test(
    'give the live transcriptions and the recordings of the accepted ones',
    async () => {
      await inParallel(organizations, 4, async (each) => {
        const listed = await roomscribeOf(each).transcriptions.list({ limit: 100 }).toArray();
        const expected = [...acceptedIds(each, 'transcriptionId')];
        expect(listed.map(({ transcriptionId }) => transcriptionId).toSorted()).toEqual(expected.toSorted());
        const recordings = acceptedIds(each, 'recordingId', 'recording.finished');
        const mayBeOpen = acceptedIds(each, 'recordingId', 'recording.track.finished');
        const unknown = poolOfIds.filter((id) => !recordings.has(id) && !mayBeOpen.has(id));
        const minutes = minutesOfDay(
          accepted()
            .filter(of(each))
            .map(({ event }) => event),
        );
        for (const recordingId of [...recordings, ...unknown]) {
          const { status } = await api(each)('POST', '/v1/transcriptions', { body: { recordingId } });
          const due = minutes.mayExceed(recordingId) ? [201, 429] : [201];
          expect(recordings.has(recordingId) ? due : [404], recordingId).toContain(status);
          if (status === 201) minutes.add(recordingId);
        }
      });
    },
    limitMs,
  );

  test(
    'become dead letters if they are refused, and no others do',
    async () => {
      const left = new Set(refused().map(({ messageId }) => messageId));
      const others: string[] = [];
      await untilNothingIsLeft(
        'each refused event was a dead letter',
        async () => {
          const { firstIds } = await readWorkerLogs();
          for (const id of await takeDeadLetterIds()) if (!left.delete(firstIds.get(id) ?? id)) others.push(id);
          return [...left];
        },
        limitMs,
      );
      expect(others, 'dead letters that were not refused').toEqual([]);
    },
    limitMs + 60_000,
  );

  test(
    'are listed with their reasons if they are refused',
    async () => {
      expect(refused().length).toBeLessThan(listedOfStage);
      await inParallel(organizations, 4, async (each) => {
        const expected = refused()
          .filter(of(each))
          .map(({ event, issues }) => `${shownId(event.id)} ${issues.split('; ').slice(0, 10).join('; ')}`);
        await eventually(async () => {
          const listed = await roomscribeOf(each).events.listRefused({ limit: 100 }).toArray();
          const reasons = listed.map(
            ({ eventId, reasons }) =>
              `${shownId(eventId)} ${reasons.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`,
          );
          expect(reasons.toSorted()).toEqual(expected.toSorted());
        }, patienceMs);
      });
    },
    limitMs,
  );

  test('make no worker fail otherwise', async () => {
    const { errors, warnings } = await readWorkerLogs();
    expect(errors.slice(0, 5)).toEqual([]);
    if (warnings.length > 0)
      process.stdout.write(`The workers logged ${warnings.length} warnings, such as ${warnings[0]}\n`);
  });

  afterAll(() => {
    process.stdout.write(`${accepted().length} events were accepted, ${refused().length} refused.\n`);
  });
});
