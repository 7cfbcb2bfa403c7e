import { describe, expect, it } from 'vitest';
import { readFlags, usage } from '#tools/local/flags.ts';
import { UserError } from '#tools/shared/user-error.ts';

describe('the flag --cors-origins', () => {
  it('is a list of origins, and undefined by default', () => {
    expect(readFlags([]).corsOrigins).toBeUndefined();
    const list = 'http://localhost:5173,https://app.example.com';
    expect(readFlags(['--cors-origins', list]).corsOrigins).toBe(list);
  });

  it.each(['*', 'localhost:5173', 'http://app.example.com', ''])('rejects %j before anything starts', (list) => {
    const refused = () => readFlags([`--cors-origins=${list}`]);
    expect(refused).toThrow(UserError);
    expect(refused).toThrow('--cors-origins must list origins such as https://app.example.com');
  });
});

describe('the flag --non-participant-roles', () => {
  it('is a list of roles, and undefined by default, so that the stage has its default', () => {
    expect(readFlags([]).nonParticipantRoles).toBeUndefined();
    expect(readFlags(['--non-participant-roles', 'bot,assistant']).nonParticipantRoles).toBe('bot,assistant');
  });

  it.each(['', 'bot,', 'bot, assistant'])('rejects %j before anything starts', (list) => {
    const refused = () => readFlags([`--non-participant-roles=${list}`]);
    expect(refused).toThrow(UserError);
    expect(refused).toThrow('--non-participant-roles must be up to 10 roles of 1 to 64 characters');
  });
});

describe('the flags of npm start', () => {
  it.each<[string[], RegExp]>([
    [['--prot', '1'], /Unknown option '--prot'/],
    [['--port', 'http'], /--port must be a whole number/],
  ])('are refused in a sentence: %j', (args, message) => {
    expect(() => readFlags(args)).toThrow(UserError);
    expect(() => readFlags(args)).toThrow(message);
  });

  it('are all in the text of --help', () => {
    expect(readFlags(['--help']).help).toBe(true);
    expect(usage).toMatch(/--data-dir DIR/);
  });
});
