import { expect, test } from 'vitest';
import { withDefaults } from '#shared/domain/transcriptions/effective-options.ts';

test('what a default redacts is redacted whatever the request names, and the request can add to it', () => {
  const ofOrganization = { language: 'en-US', redact: { types: ['NAME', 'PHONE'] } } as const;
  const typesFor = (redact: object | undefined) => {
    const result = withDefaults({ ...(redact && { redact }) } as never, [structuredClone(ofOrganization) as never, {}]);
    return 'options' in result ? result.options.redact?.types.toSorted() : result;
  };
  expect(typesFor(undefined)).toEqual(['NAME', 'PHONE']);
  expect(typesFor({ types: ['AGE'] })).toEqual(['AGE', 'NAME', 'PHONE']);
  expect(typesFor({ types: ['NAME'] })).toEqual(['NAME', 'PHONE']);
});
