import { describe, expect, it } from 'vitest';
import { readFlags } from '#tools/local/flags.ts';
import { UserError } from '#tools/shared/user-error.ts';

describe('the flag --cors-origins', () => {
  it('is a list of origins, and none otherwise', () => {
    expect(readFlags([]).corsOrigins).toBeUndefined();
    const list = 'http://localhost:5173,https://app.example.com';
    expect(readFlags(['--cors-origins', list]).corsOrigins).toBe(list);
  });

  it.each(['*', 'localhost:5173', 'http://app.example.com', ''])('is refused for %j before anything starts', (list) => {
    const refused = () => readFlags([`--cors-origins=${list}`]);
    expect(refused).toThrow(UserError);
    expect(refused).toThrow('--cors-origins must list origins such as https://app.example.com');
  });
});
