import { describe, expect, it } from 'vitest';
import { readFlags, settingsOf } from '#tools/local/flags.ts';
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

describe('the flag --session-idle-hours', () => {
  it("is the stage's setting, and not set by default, so that no session is closed", () => {
    expect(settingsOf(readFlags([]))).toEqual({});
    expect(settingsOf(readFlags(['--session-idle-hours', '24']))).toEqual({ sessionIdleHours: '24' });
  });

  it.each(['', '0', '721', '1.5', 'a day'])('rejects %j before anything starts', (hours) => {
    const refused = () => readFlags([`--session-idle-hours=${hours}`]);
    expect(refused).toThrow(UserError);
    expect(refused).toThrow('--session-idle-hours must be a whole number of hours from 1 to 720');
  });
});

describe('the flag --public-url', () => {
  it.each([
    ['https://abc.example.com', 'https://abc.example.com'],
    ['https://abc.example.com/', 'https://abc.example.com'],
    ['https://abc.example.com:8443', 'https://abc.example.com:8443'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ])('takes %s', (given, taken) => {
    expect(readFlags([]).publicUrl).toBeUndefined();
    expect(readFlags(['--public-url', given]).publicUrl).toBe(taken);
  });

  it.each([
    ...['', 'abc.example.com', 'http://abc.example.com', 'https://abc.example.com/path', 'https://abc.example.com?x=1'],
    ...['https://ABC.example.com', 'https://me@abc.example.com', 'https://abc.example.com//', 'ftp://abc.example.com'],
  ])('rejects %j before anything starts', (url) => {
    const refused = () => readFlags([`--public-url=${url}`]);
    expect(refused).toThrow(UserError);
    expect(refused).toThrow(
      `--public-url must be an address such as https://roomscribe.example.com, without a path, not "${url}".`,
    );
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
    expect(() => readFlags(['--help'])).toThrow(/--data-dir <dir>.*--no-demo/s);
  });
});
