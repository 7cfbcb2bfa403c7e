import { describe, expect, test } from 'vitest';
import { groupOf, membershipIn, membershipOf } from '#shared/domain/insights/membership.ts';

const [reader, editor] = (['reader', 'editor'] as const).map((role) => ({ organizationId: 'acme', role }));

describe('the membership in groups', () => {
  test.each([
    ['one group', ['acme:reader'], reader],
    ['both roles in one organization: the higher one', ['acme:reader', 'acme:editor'], editor],
    ['both roles, in another order', ['acme:editor', 'acme:reader'], editor],
    ['one group and others that name no role', ['acme:reader', 'deleted.acme', 'admins'], reader],
    ['no groups', [], 'none'],
    ['only groups that name no role', ['acme', 'admins'], 'none'],
    ['two organizations', ['acme:reader', 'other:reader'], 'several'],
    ['two organizations, once as an editor', ['other:reader', 'acme:editor'], 'several'],
    ['two organizations whose ids differ in case', ['acme:reader', 'Acme:reader'], 'several'],
  ])('of %s', (_, groups, expected) => {
    expect(membershipOf(groups)).toEqual(expected);
  });
});

describe('a group', () => {
  test.each([
    'acme',
    'acme:',
    ':reader',
    'acme:owner',
    'acme:Reader',
    'acme:editor ',
    ' acme:editor',
    'acme:editor\n',
    'acme\n:editor',
    'acme::editor',
    'acme:editor:editor',
    'acme:x:editor',
    'ac me:editor',
    'acme#x:editor',
    `${'a'.repeat(65)}:editor`,
    'acme:constructor',
  ])('named %j names no role in an organization', (group) => {
    expect(membershipIn(group)).toBeUndefined();
  });

  test('of a membership names this membership', () => {
    for (const membership of [{ organizationId: 'a'.repeat(64), role: 'editor' as const }, reader ?? never()])
      expect(membershipIn(groupOf(membership))).toEqual(membership);
  });
});

function never(): never {
  throw new Error('There is a reader.');
}
