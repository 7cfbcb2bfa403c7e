import { describe, expect, test } from 'vitest';
import { deviceOf } from '../../../console/parts/user-agent.ts';

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

describe('deviceOf', () => {
  test('reads browser, system and kind of device', () => {
    expect(deviceOf(safari)).toEqual({ browser: 'Safari 18', system: 'iOS 18.6', kind: 'mobile' });
  });

  test.each(['', '  ', '<script>alert(1)</script>', 'z'.repeat(100_000)])(
    'tells nothing of what it cannot read',
    (text) => {
      expect(deviceOf(text)).toEqual({ browser: undefined, system: undefined, kind: undefined });
    },
  );
});
