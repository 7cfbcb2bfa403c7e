import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobName, parseJobName } from '#shared/adapters/transcriptions/job-name.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const prefixes = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
const organizations = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).map((name) => organizationId(name));

test('parseJobName returns the owner that jobName was given, and the name is valid for Transcribe', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,80}$/),
      organizations,
      fc.uuid(),
      (prefix, organization, id) => {
        const owner = { organizationId: organization, transcriptionId: id };
        const name = jobName(prefix, owner);
        expect(parseJobName(prefix, name)).toEqual(owner);
        expect(name).toMatch(/^[0-9a-zA-Z._-]{1,200}$/);
      },
    ),
  );
});

test('parseJobName returns undefined for a job of another deployment, even if the prefixes are similar', () => {
  fc.assert(
    fc.property(prefixes, prefixes, organizations, fc.uuid(), (prefix, other, organization, id) => {
      fc.pre(prefix !== other);
      const name = jobName(prefix, { organizationId: organization, transcriptionId: id });
      expect(parseJobName(other, name)).toBeUndefined();
    }),
  );
  const name = jobName('Roomscribe', { organizationId: organizationId(), transcriptionId: uuid(1) });
  expect(parseJobName('Roomscribe.acme', name)).toBeUndefined();
});

test.each([
  '',
  'prefix',
  'prefix.',
  `prefix.acme`,
  `prefix..${uuid(1)}`,
  `prefix.a b.${uuid(1)}`,
  `prefix.acme.${uuid(1)}.x`,
  `prefix.acme.x.${uuid(1)}`,
  `prefixacme.${uuid(1)}`,
  `prefix.acme.not-a-uuid`,
])('parseJobName returns undefined for %j', (name) => {
  expect(parseJobName('prefix', name)).toBeUndefined();
});

test('parseJobName never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseJobName('prefix', `prefix.${text}`)));
});
