import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { RetainedKind } from '../shared/names.ts';

type Context = (key: string) => string | undefined;

/**
 * The fewest days of each. Files outlast what still works on them. Of the days of facts a session takes events for all but
 * the last 30 (shared/domain/session-closing.ts), and events may come four weeks late.
 */
const fewestDays = { recording: 7, transcript: 7, sample: 7, fact: 60 } as const satisfies Record<
  RetainedKind | 'recording',
  number
>;
type Kind = keyof typeof fewestDays;
const kinds = Object.keys(fewestDays) as Kind[];
const mostDays = 36_500;

/** For how many days a stage keeps recordings, transcripts, network samples and facts; what is not named stays. */
export type RetentionDaysOf = { readonly [kind in Kind]?: number };

/** The stage's retention with what the context overrides. Samples are shown by their facts, and go with them at the latest. */
export function retentionDays(usual: RetentionDaysOf, context: Context): RetentionDaysOf {
  const given: { [kind in Kind]?: number } = {};
  for (const kind of kinds) {
    const value = context(`${kind}RetentionDays`) ?? usual[kind];
    if (value !== undefined) given[kind] = days(kind, value);
  }
  if (given.fact === undefined) return given;
  const { fact, sample = fact } = given;
  if (sample > fact)
    throw new Error(
      `-c sampleRetentionDays=${sample} is more than -c factRetentionDays=${fact}: nothing shows samples without facts.`,
    );
  return { ...given, sample };
}

function days(kind: Kind, value: string | number): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= fewestDays[kind] && number <= mostDays) return number;
  throw new Error(
    `-c ${kind}RetentionDays must be a whole number of days from ${fewestDays[kind]} to ${mostDays}, not "${value}".`,
  );
}

/** What CloudWatch Logs takes, but for keeping lines for ever. */
const logDays = Object.values(RetentionDays).filter(
  (value): value is RetentionDays => typeof value === 'number' && value !== RetentionDays.INFINITE,
);

/** How long logs are kept: the stage's own, or what the context says. */
export function logRetention(usual: RetentionDays, context: Context): RetentionDays {
  const value = context('logRetentionDays') ?? usual;
  const known = logDays.find((each) => String(each) === String(value));
  if (known !== undefined) return known;
  throw new Error(`-c logRetentionDays must be one of ${logDays.join(', ')}, not "${value}".`);
}
