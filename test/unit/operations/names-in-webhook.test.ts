import { expect, test } from 'vitest';
import { namesAny } from '#operations/erasure/names-in-webhook.ts';

const uuid = '0b1c2d3e-0000-4000-8000-000000000001';
const ids = new Set(['ada', 'eve@example.com', '4711', uuid, 'team/ivy', 'tel/49']);

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
  ['a file name without an ending', { filename: 'ada-TR_Abc' }],
  ['a key of a track', { tracks: [{ endpoint_id: 'x', key: 'recordings/1/recording-0-ada.webm' }] }],
  ['a key of Daily', { s3_key: 'd/ada/1700000000000' }],
  ['a manifest', { manifest_location: 's3://b/acme/ada-EG_1.json' }],
  ['a template of a file', { request: { file_outputs: [{ filepath: 'acme/ada-{time}' }] } }],
  ['a playlist', { segmentResults: [{ playlistName: 'acme/ada.m3u8' }] }],
  ['a list of file names', { fileNames: ['acme/bob.ogg', 'acme/ada.ogg'] }],
  ['an address of somebody who dialled in, whose id has a resource', { occupant_jid: 'tel@example.com/49' }],
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
  ['the name of a room with a slash', { roomName: '/ada-weekly', room: '/ada', room_name: 'team/ada' }],
  ['the name of a room in a list', { rooms: ['/ada-weekly'] }],
  ['the name of a room of JaaS', { fqn: 'vpaas-magic-cookie-1/ada-weekly' }],
  ['the address of a room', { room_jid: 'ada-weekly@conference.example.com/x', page: 'https://example.com/ada' }],
  ['the nick of another person', { jid: 'bob@conference.example.com/ada' }],
  ['a text that looks like a file name', { title: 'ada-weekly.notes' }],
  ['the name of a field that looks like a path', { '/ada-weekly': 1 }],
  ['a field in a place of files that is none of a file', { fileResults: [{ roomName: '/ada-weekly' }] }],
])('finds none in %s', (_where, payload) => {
  expect(namesAny(payload, ids)).toBe(false);
});

test('finds an empty id in no file name', () => {
  expect(namesAny({ filename: '/a-.ogg' }, new Set(['']))).toBe(false);
});
