import { describe, expect, it } from 'vitest';
import { UserError } from '#tools/shared/user-error.ts';
import { readSimulateFlags } from '#tools/simulation/flags.ts';

describe('readSimulateFlags', () => {
  it('returns defaults, with a new random seed each time', () => {
    const flags = readSimulateFlags([]);

    expect(flags).toEqual({
      ...{ rooms: 5, sessions: 4, participants: 6, seed: expect.any(Number), samples: false, shuffle: false },
      ...{ duplicate: 0, organization: 'acme', dataDir: '.local' },
    });
    expect(readSimulateFlags([]).seed).not.toBe(flags.seed);
  });

  it('reads every flag', () => {
    const sizes = ['--rooms', '1', '--sessions', '2', '--participants', '3', '--seed', '0'];
    const rest = ['--samples', '--shuffle', '--duplicate', '.5', '--organization', 'a_-', '--data-dir', 'here'];

    expect(readSimulateFlags([...sizes, ...rest])).toEqual({
      ...{ rooms: 1, sessions: 2, participants: 3, seed: 0, samples: true, shuffle: true },
      ...{ duplicate: 0.5, organization: 'a_-', dataDir: 'here' },
    });
  });

  it.each<[string[], RegExp]>([
    [['--rooms', '0'], /^--rooms must be a whole number from 1 to 100000, not "0"\.$/],
    [['--sessions', '1.5'], /^--sessions must be a whole number/],
    [['--participants', 'many'], /^--participants must be a whole number/],
    [['--seed', '4294967296'], /^--seed must be a whole number from 0 to 2147483647/],
    [['--duplicate', '1.01'], /^--duplicate must be a number from 0 to 1, not "1\.01"\.$/],
    [['--duplicate', 'x'], /^--duplicate must be/],
    [['--organization', 'a b'], /^--organization must be 1 to 64 letters/],
    [['--rooms', '1000', '--sessions', '1000'], /make 6000000 participants\. The maximum is 100000\.$/],
    [['--rooms', '1000', '--samples'], /The maximum with --samples is 10000\.$/],
    [['--room', '1'], /^Unknown option '--room'/],
    [['stray'], /^Too many arguments/],
  ])('rejects %j with a message for the user', (args, message) => {
    expect(() => readSimulateFlags(args)).toThrow(UserError);
    expect(() => readSimulateFlags(args)).toThrow(message);
  });
});
