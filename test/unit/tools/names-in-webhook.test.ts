import { expect, test } from 'vitest';
import { namesAny } from '#tools/operations/erasure/names-in-webhook.ts';

const uuid = '0b1c2d3e-0000-4000-8000-000000000001';
const ids = new Set(['ada', 'eve@example.com', '4711', uuid, 'team/ivy']);

test.each([
  ['a text', { participant: { identity: 'ada' } }],
  ['the name of a field', { talkTime: { ada: 3 } }],
  ['an XMPP address', ['ada@conference.example.com/1']],
  ['a number in a field of ids', { data: { userId: 4711 } }],
  ['a number in a field of ids with another spelling', { user_ID: 4711 }],
  ['a file name', { filename: 'ada-TR_Abc.ogg' }],
  ['a file name with a template of its own', { filename: 'acme/standup_ada_170.ogg' }],
  ['a folder', { location: 'acme/ada/TR_1.ogg' }],
  ['a file name that is an id with a slash', { filename: 'acme/team/ivy-TR_1.ogg' }],
  ['an address of S3', { location: 'https://b.s3.amazonaws.com/acme/eve%40example.com-TR_Abc.ogg' }],
  ['a file name with a percent sign', { filename: 'acme/100%-ada-TR_Abc.ogg' }],
  ['a raw track of Daily', { s3Key: `d/standup/1700000000000-${uuid}-cam-audio-1700000000001` }],
  ['a second place in a file name', { filename: 'acme/adam-ada.ogg' }],
])('finds an id in %s', (_where, payload) => {
  expect(namesAny({ list: [null, true, { payload }] }, ids)).toBe(true);
});

test.each([
  ['a longer text', { identity: 'ada2', text: 'about ada' }],
  ['a longer file name', { filename: 'acme/adam-TR_Abc.ogg', other: 'acme/nevada-1.ogg' }],
  ['a host', { location: 'https://ada/acme/bob.ogg' }],
  ['a number that is no id', { duration: 4711, times: [4711] }],
  ['a time', { at: '2026-4711-01T10:00:00.000Z' }],
  ['another number', { id: 47110 }],
])('finds none in %s', (_where, payload) => {
  expect(namesAny(payload, ids)).toBe(false);
});

test('finds an empty id in no file name', () => {
  expect(namesAny({ filename: '/a-.ogg' }, new Set(['']))).toBe(false);
});
