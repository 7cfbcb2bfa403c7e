import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import { toBlockItem } from '#shared/storage/insights/session-blocks.ts';
import { sessionPeople } from '#shared/storage/insights/session-people.ts';
import { at, daily, ended, joined, left, started } from '../../../support/insights/session-facts.ts';

const blocks = [
  [started('09:00'), joined('ann', '09:00'), joined('bot', '09:00', { roleName: 'recorder' })],
  [left('ann', '09:30'), left('bot', '09:30'), ended('09:30')],
];
const items = blocks.map((facts, index) => ({
  factKey: `events\0${String(index + 1).padStart(8, '0')}`,
  ...toBlockItem({ facts, bytes: 1000 }),
}));
const documents = { send: async () => ({ Items: items }) } as unknown as DynamoDBDocumentClient;
const read = (options?: Parameters<typeof sessionPeople>[2]) =>
  sessionPeople(documents, 'facts', options).peopleOf(daily, at('09:00'));

test('the people of a session come from its whole log', async () => {
  expect(await read()).toMatchObject({
    isObserved: true,
    endedAt: at('09:30'),
    stays: [{ participantId: 'ann', to: 1800 }],
  });
});

test('a role of the stage is that of a person', async () => {
  expect((await read({ speakerRoles: ['recorder'] })).stays).toHaveLength(2);
});

test('nobody is known of a session with a larger log than may be read', async () => {
  expect(await read({ mostBytes: 1999 })).toEqual(nobodyKnown);
  expect(await read({ mostBytes: 2000 })).toMatchObject({ isObserved: true });
});
