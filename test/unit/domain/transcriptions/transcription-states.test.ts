import { describe, expect, test } from 'vitest';
import { TranscriptionState } from '#shared/contracts/transcriptions/transcription.ts';
import { mayChange, type Transition, transitions } from '#shared/domain/transcriptions/transcription-states.ts';
import { cases } from '../../../support/transcriptions/transcription-situations.ts';

const all = Object.entries<Transition>(transitions);
/** The changes after which the reconciler checks the transcription again. */
const staysDue = ['jobStarted', 'prepared', 'abandoned'];

test('an event changes what is stored if the transition table allows it', () => {
  for (const { event, name, stored, isAllowed } of cases)
    expect(mayChange(event, stored), `${event}: ${name}`).toBe(isAllowed);
});

// Written by hand: the other tests take what is allowed from the table itself.
test('the transition table allows exactly these events in these situations', () => {
  const allowed = cases.filter(({ isAllowed }) => isAllowed).map(({ event, name }) => `${event}: ${name}`);
  expect(cases).toHaveLength(10 * 9);
  expect(allowed).toEqual([
    'created: nothing',
    'liveStarted: nothing',
    'liveFinished: nothing',
    'liveFinished: in_progress LIVE_TRANSCRIPTION',
    'liveFinished: given-up LIVE_TRANSCRIPTION',
    'liveFailed: nothing',
    'liveFailed: in_progress LIVE_TRANSCRIPTION',
    'liveFailed: given-up LIVE_TRANSCRIPTION',
    'jobStarted: in_progress RECORDING_TRANSCRIPTION',
    'jobStarted: in_progress LIVE_TRANSCRIPTION',
    'prepared: in_progress RECORDING_TRANSCRIPTION',
    'prepared: in_progress LIVE_TRANSCRIPTION',
    'transcribed: in_progress RECORDING_TRANSCRIPTION',
    'transcribed: in_progress LIVE_TRANSCRIPTION',
    'failed: in_progress RECORDING_TRANSCRIPTION',
    'failed: in_progress LIVE_TRANSCRIPTION',
    'abandoned: in_progress RECORDING_TRANSCRIPTION',
    'abandoned: in_progress LIVE_TRANSCRIPTION',
    'deleted: in_progress RECORDING_TRANSCRIPTION',
    'deleted: in_progress LIVE_TRANSCRIPTION',
    'deleted: ready RECORDING_TRANSCRIPTION',
    'deleted: ready LIVE_TRANSCRIPTION',
    'deleted: failed RECORDING_TRANSCRIPTION',
    'deleted: failed LIVE_TRANSCRIPTION',
    'deleted: given-up LIVE_TRANSCRIPTION',
  ]);
});

test('every state of the contract can be reached and can be deleted', () => {
  const reached = new Set(all.map(([, { to }]) => to));
  expect(reached).toEqual(new Set([...TranscriptionState.options, 'tombstone']));
  const deletable = transitions.deleted.from.map(({ state }) => state);
  expect(new Set(deletable)).toEqual(new Set(TranscriptionState.options));
});

describe.each(all)('the transition %s', (event, { from, to, sets, removes }) => {
  test('sets the state if it changes, and sets or removes the due date', () => {
    if (sets === 'all') return;
    const isMoved = from.some((situation) => situation !== 'nothing' && situation.state !== to);
    expect(sets.includes('state')).toBe(isMoved);
    expect(sets.includes('dueAt')).toBe(staysDue.includes(event));
    expect(removes.includes('dueAt')).toBe(!staysDue.includes(event));
    expect(sets.filter((name) => removes.includes(name))).toEqual([]);
  });
});
