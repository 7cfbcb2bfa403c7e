import { absences, type Presence } from '../insights/presence.ts';
import { maxSpeechOffsetSeconds } from '../insights/speech.ts';
import { countMeeting, joined, lengthOf, type Span } from '../transcript/overlaps.ts';
import type { SpokenItem } from '../transcript/transcript.ts';
import { type ParticipantSpan, spansByParticipant, voicesOf } from '../transcript/voices.ts';
import { activityFits, type Fit } from './activity-fits.ts';
import { fitOffset } from './feed-offset.ts';
import { inHundredths, type NamedSpeaker } from './name-by-presence.ts';

/** When a name is given. */
export type MatchingLimits = {
  /** The least score with which a name is given. */
  readonly leastScore: number;
  /** The most that the score of the next person for the speaker may be: with 0.4 and 0.6, the margin is 0.2 at least. */
  readonly mostNext: number;
  /** The score of the next speaker for the person must be less than this share: two voices at one microphone have no name. */
  readonly rival: number;
  /** Another offset fits about as well if it loses less than this share of the speech to which it gives other names. */
  readonly doubt: number;
  /** Names are given if the feed is early or late by at most this. */
  readonly lagSeconds: number;
  /** Offsets up to this are compared, so that a feed that is further off is recognized. */
  readonly searchSeconds: number;
  /** How probable it may be that somebody was active whenever the speaker spoke by chance. */
  readonly chance: number;
};

/** The limits that are published. docs/performance.md has what `npm run bench -- names` shows with them. */
export const matchingLimits: MatchingLimits = {
  leastScore: 0.6,
  mostNext: 0.4,
  rival: 0.2,
  doubt: 0.25,
  lagSeconds: 15,
  searchSeconds: maxSpeechOffsetSeconds,
  chance: 0.001,
};

const gridSeconds = 0.2;
/** A shorter pause is part of a turn. Platforms do not report it either. */
const pauseSeconds = 1.5;
/** Platforms report long speech as several intervals. */
const intervalGapSeconds = 1;
/** Platforms detect speech so late. This is no lag of a clock. */
const detectionSeconds = 1;
/** Of more people, those who were active longest are compared. */
const mostPeople = 200;
/** A speaker with less than this share of another's time is no second voice, but single words that the recognizer confused. */
const leastVoice = 0.1;

/**
 * Names the recognizer's speakers by the feed of a platform that detects who is active, whose clock may be early or late. A speaker stays
 * unnamed if two people fit, if another offset of the clock fits about as well and gives another name, or if chance explains the fit. No
 * two speakers get the same name.
 */
export function matchSpeakers(
  items: readonly SpokenItem[],
  feed: readonly ParticipantSpan[],
  presence?: Presence,
  limits = matchingLimits,
): Map<string, NamedSpeaker | null> {
  const voices = voicesOf(items);
  const names = new Map<string, NamedSpeaker | null>(voices.map(({ speaker }) => [speaker, null]));
  const range = Math.round(limits.searchSeconds / gridSeconds);
  const speakers = voices.map(({ spans }) => onGrid(joined(spans, pauseSeconds)));
  const end = Math.max(0, ...speakers.map((spans) => spans.at(-1)?.to ?? 0));
  const people = mostActive(feed, { from: -range, to: end + range });
  const fits = activityFits({ speakers, people: people.map(({ spans }) => spans), end, range });
  const isAbsent = absences(presence);
  const absent = voices.map((voice) => people.map(({ participantId }) => isAbsent(voice, participantId)));
  const mayBe = (speaker: number, person: number) => absent[speaker]?.[person] === false;
  const best = fitOffset({ fits, lengths: speakers.map(lengthOf), mayBe }, limits.doubt);
  if (Math.abs(best.offset - range) * gridSeconds > limits.lagSeconds + detectionSeconds) return names;
  for (const [index, { speaker }] of voices.entries()) {
    const person = best.personOf[index] ?? -1;
    const named = people[person];
    if (!named || best.doubtful.has(index)) continue;
    const match = { speakers, fits, offset: best.offset, speaker: index, person };
    if (!isClear(match, limits) || isChance(match, named.spans, people.length, best.offset - range, limits)) continue;
    names.set(speaker, { participantId: named.participantId, confidence: inHundredths(scoreOf(match, index, person)) });
  }
  return names;
}

type Person = { readonly participantId: string; readonly spans: readonly Span[] };

/** A speaker and the person who fits best, and what both are compared with. */
type Match = {
  readonly speakers: readonly (readonly Span[])[];
  readonly fits: readonly (readonly Fit[])[];
  readonly offset: number;
  readonly speaker: number;
  readonly person: number;
};

/** Whether the score is high enough, and those of the next person and of the next speaker are low enough. */
function isClear(match: Match, { leastScore, mostNext, rival }: MatchingLimits): boolean {
  const { speakers, fits, speaker, person } = match;
  const score = scoreOf(match, speaker, person);
  const people = (fits[speaker] ?? []).map((_, other) => (other === person ? 0 : scoreOf(match, speaker, other)));
  const least = leastVoice * lengthOf(speakers[speaker] ?? []);
  const voices = speakers.map((spans, other) =>
    other === speaker || lengthOf(spans) < least ? 0 : scoreOf(match, other, person),
  );
  return score >= leastScore && Math.max(...people) <= mostNext && Math.max(...voices) < rival * score;
}

function scoreOf({ fits, offset }: Match, speaker: number, person: number): number {
  return fits[speaker]?.[person]?.scores[offset] ?? 0;
}

/**
 * Whether chance explains that the person was active when the speaker spoke. Chernoff's bound says how probable it is at most that as
 * many of the turns meet activity by chance. Turns that meet one interval count as one.
 */
function isChance(
  match: Match,
  active: readonly Span[],
  people: number,
  moved: number,
  { chance }: MatchingLimits,
): boolean {
  const { speakers, fits, offset, speaker, person } = match;
  const fit = fits[speaker]?.[person];
  if (!fit) return true;
  const turns = speakers[speaker] ?? [];
  const intervals = active.map(({ from, to }) => ({ from: from - moved, to: to - moved }));
  const trials = Math.min(countMeeting(turns, intervals), countMeeting(intervals, turns));
  return people * Math.exp(-trials * divergence(fit.share(offset), fit.chance(offset))) > chance;
}

/** The relative entropy of two probabilities, in nats. */
function divergence(share: number, chance: number): number {
  const term = (one: number, other: number) => (one > 0 ? one * Math.log(one / other) : 0);
  return term(share, chance) + term(1 - share, 1 - chance);
}

function mostActive(feed: readonly ParticipantSpan[], within: Span): Person[] {
  const people = [...spansByParticipant(feed, intervalGapSeconds)].map(([participantId, spans]) => {
    const clipped = onGrid(spans).map(({ from, to }) => ({
      from: Math.max(from, within.from),
      to: Math.min(to, within.to),
    }));
    return { participantId, spans: clipped.filter(({ from, to }) => from < to) };
  });
  const active = people.filter(({ spans }) => spans.length > 0);
  return active.toSorted((one, other) => lengthOf(other.spans) - lengthOf(one.spans)).slice(0, mostPeople);
}

/** The spans in whole steps of the grid, none of them empty. */
function onGrid(spans: readonly Span[]): Span[] {
  const steps = spans.map(({ from, to }) => {
    const start = Math.round(from / gridSeconds);
    return { from: start, to: Math.max(start + 1, Math.round(to / gridSeconds)) };
  });
  return joined(steps, 0);
}
