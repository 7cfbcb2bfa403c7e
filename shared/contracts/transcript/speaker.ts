import * as z from 'zod/mini';
import { shownName } from '#shared/runtime/shown-name.ts';
import { Identifier, wellFormed } from '../common/fields.ts';

const seconds = z.number().check(z.nonnegative());
const count = z.int().check(z.nonnegative());

/** A number from 0 to 1. */
export const fraction = z.number().check(z.minimum(0), z.maximum(1));

/**
 * How it is known who a speaker is. `track`: the file was this participant's microphone or screen. `channel`: a channel of the file was.
 * `presence`: nobody else was there when the speaker spoke. `matched`: the platform detected this participant's voice at the same times.
 * `recognizer`: the engine heard one voice, and nothing says whose. `corrected`: a person said so.
 */
const speakerSources = ['track', 'channel', 'presence', 'matched', 'recognizer', 'corrected'] as const;

/**
 * Who speaks: the participant, if it is known, and the name to show. `speaker` stays the same when the name is corrected.
 * `confidence` is null for a speaker whom nothing names.
 */
export const Speaker = z.object({
  speaker: z.string(),
  participantId: z.nullable(z.string()),
  displayName: z.string(),
  source: z.enum(speakerSources),
  confidence: z.nullable(fraction),
  /** What the file of a speaker recorded. Only of a recording with a track for each participant. */
  input: z.optional(z.enum(['microphone', 'screen'])),
  /** The seconds of all turns. */
  spokenSeconds: seconds,
  turns: count,
  /** The part of the seconds of all speakers. */
  share: fraction,
  longestTurnSeconds: seconds,
  /** The seconds of this speaker's turns during which somebody else speaks too. */
  overlapSeconds: seconds,
});
export type Speaker = z.infer<typeof Speaker>;

const maxNameLength = 256;

/** What ends a line, or turns the direction of the text after it. Left-to-right and right-to-left marks turn nothing. */
const lineOrDirection = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** A name that a person gives to a speaker: it shows something, and changes nothing of the text around it. */
const DisplayName = z.string().check(
  z.trim(),
  z.minLength(1, 'must not be empty'),
  z.maxLength(maxNameLength, { error: `must have at most ${maxNameLength} characters`, abort: true }),
  z.refine((name) => !/\p{Cc}/u.test(name), { error: 'must not have control characters', abort: true }),
  wellFormed,
  z.refine((name) => !lineOrDirection.test(name), 'must not have line separators or controls of text direction'),
  z.refine((name) => name === '' || shownName(name) !== '', 'must have a visible character'),
);

/** Body of a correction: the participant who speaks, or a name. */
export const CorrectSpeaker = z
  .object({ participantId: z.optional(Identifier), displayName: z.optional(DisplayName) })
  .check(
    z.refine(
      ({ participantId, displayName }) => (participantId === undefined) !== (displayName === undefined),
      'must have participantId or displayName, and not both',
    ),
  );
export type CorrectSpeaker = z.infer<typeof CorrectSpeaker>;
