import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LuaFactory } from 'wasmoon';
import { jitsi } from '#shared/platforms/jitsi/index.ts';

const file = path.resolve(import.meta.dirname, '../../../examples/jitsi/mod_roomscribe_meeting_id.lua');
const meetingId = '8e842564-ff85-41d1-aea8-53187db94ccc';

/** What Prosody gives a module: handlers run by priority, the highest first, until one returns something. */
const prosody = `
  local handlers = {}
  module = {}
  function module:hook(event, handler, priority)
    table.insert(handlers, { event = event, handler = handler, priority = priority or 0, number = #handlers })
  end
  function fire(event, data)
    table.sort(handlers, function (a, b)
      if a.priority ~= b.priority then return a.priority > b.priority end
      return a.number < b.number
    end)
    for _, each in ipairs(handlers) do
      if each.event == event and each.handler(data) ~= nil then return end
    end
  end
`;

/** The hook of muc_meeting_id. */
const mucMeetingId = `
  module:hook("muc-room-created", function (event) event.room._data.meetingId = "${meetingId}" end)
`;

/** The two hooks of event_sync: what it adds to every event of a room, and the event itself. It leaves out rooms of health checks. */
const eventSync = `
  sent = {}
  module:hook("muc-room-created", function (event)
    if event.room.jid == "health@muc" then return end
    event.room._data.event_sync_extra_payload = { room_name = "standup", room_jid = event.room.jid, is_breakout = false }
  end, -2)
  module:hook("muc-room-created", function (event)
    local payload = { event_name = "muc-room-created", created_at = 1768471200 }
    for name, value in pairs(event.room._data.event_sync_extra_payload or {}) do payload[name] = value end
    table.insert(sent, payload)
  end, -3)
`;

const ours = readFileSync(file, 'utf8');

/** What event_sync sends when a room is created, with these modules of Prosody loaded in this order. */
async function sentWith(modules: readonly string[], jid = 'standup@muc'): Promise<readonly Record<string, unknown>[]> {
  const lua = await new LuaFactory().createEngine();
  onTestFinished(() => lua.global.close());
  for (const chunk of [prosody, ...modules]) await lua.doString(chunk);
  await lua.doString(`fire("muc-room-created", { room = { jid = "${jid}", _data = {} } })`);
  return lua.global.get('sent');
}

test.each([
  ['first', [ours, mucMeetingId, eventSync]],
  ['in the middle', [eventSync, ours, mucMeetingId]],
  ['last', [mucMeetingId, eventSync, ours]],
])('an event names its meeting if the module is loaded %s', async (_, modules) => {
  const [payload, ...others] = await sentWith(modules);
  expect(others).toEqual([]);
  expect(payload).toMatchObject({ meeting_id: meetingId, room_name: 'standup' });

  const connection = { connectionId: 'c'.repeat(43), organizationId: 'acme', platform: 'jitsi', settings: {} };
  const hook = { payload, connection, receivedAt: '2026-01-15T10:00:00.000Z', digest: 'd' };
  expect(jitsi.translate(hook as never, { sessions: [] }).events).toContainEqual(
    expect.objectContaining({
      ...{ type: 'room.session.started', data: { roomName: '/standup', roomSessionId: meetingId } },
    }),
  );
});

test('without muc_meeting_id, an event is sent as it was', async () => {
  const [payload] = await sentWith([eventSync, ours]);
  expect(payload).toMatchObject({ room_name: 'standup' });
  expect(payload).not.toHaveProperty('meeting_id');
});

test('a room that event_sync leaves out stays as it was', async () => {
  const [payload] = await sentWith([mucMeetingId, eventSync, ours], 'health@muc');
  expect(payload).toEqual({ event_name: 'muc-room-created', created_at: 1768471200 });
});
