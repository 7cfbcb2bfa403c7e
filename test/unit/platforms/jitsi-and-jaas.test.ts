import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { jaas } from '#shared/platforms/jaas/index.ts';
import { jitsi } from '#shared/platforms/jitsi/index.ts';
import type { Hook, SignedRequest } from '#shared/platforms/platform.ts';
import { organizationId } from '../../support/operations/records.ts';

const hookOf = (platform: Connection['platform'], payload: unknown): Hook => {
  const time = '2026-01-15T10:00:00.000Z';
  const connection = { connectionId: 'c'.repeat(43), organizationId: organizationId(), platform, settings: {} };
  return { connection: { ...connection, createdAt: time }, receivedAt: time, digest: 'd'.repeat(64), payload };
};
const requestOf = (headers: SignedRequest['headers'], body: string | Buffer): SignedRequest => ({
  ...{ headers, rawBody: Buffer.from(body), rawQueryString: '', url: 'https://api.example/v1/hooks/c' },
});

describe('the signature of JaaS', () => {
  const secret = { value: 'whsec_9635df66714a4cf088ee9d0979dd3bf6', createdAt: '2026-01-01T00:00:00.000Z' };
  const body =
    '{"eventType":"PARTICIPANT_JOINED","sessionId":"9a441d60-ceaf-4eba-b0a8-a7d940a76e1b","timestamp":1632490058278,"fqn":"vpaas-magic-cookie-96f0941768964ab380ed0fbada7a502f/sampleappromanticshiftsstripas","idempotencyKey":"9e9e7420-562d-4659-8e22-44b9b22aaa49","customerId":"96f0941768964ab380ed0fbada7a502f","appId":"vpaas-magic-cookie-96f0941768964ab380ed0fbada7a502f","data":{"avatar":"","name":"Test User","id":"auth0|5f903d7a77f3b4006eb8e67d","participantJid":"fc1ea14a-9bca-4218-a563-8c627e803d56@8x8.vc","moderator":true,"email":"test.user@company.com"}}';
  const signature = 'xlzqEojlh4qb21sQpXYsWgyK8x9HVpz+RQldsv18rV0=';
  const signed = (header: string, bytes: string | Buffer = body) => requestOf({ 'x-jaas-signature': header }, bytes);
  const at = (seconds: number) => new Date((1632490060 + seconds) * 1000);

  it('takes the example of the vendor, also as one of several', () => {
    expect(jaas.isAuthentic(signed(`t=1632490060,v1=${signature}`), secret, at(0))).toBe(true);
    expect(jaas.isAuthentic(signed(`t=1632490060,v1=AAAA,v1=${signature}`), secret, at(300))).toBe(true);
  });

  it.each([
    ['another scheme', signed(`t=1632490060,v0=${signature}`), secret, at(0)],
    ['another secret', signed(`t=1632490060,v1=${signature}`), { ...secret, value: `${secret.value}0` }, at(0)],
    ['a late request', signed(`t=1632490060,v1=${signature}`), secret, at(301)],
    ['an early request', signed(`t=1632490060,v1=${signature}`), secret, at(-301)],
    ['another body', signed(`t=1632490060,v1=${signature}`, `${body} `), secret, at(0)],
    ['a body in base64', signed(`t=1632490060,v1=${signature}`, Buffer.from(body).toString('base64')), secret, at(0)],
    ['no header', requestOf({}, body), secret, at(0)],
  ])('refuses %s', (_, request, key, now) => {
    expect(jaas.isAuthentic(request, key, now)).toBe(false);
  });

  it('refuses every signature that differs in one bit', () => {
    for (let index = 0; index < signature.length * 7; index++) {
      const bytes = Buffer.from(signature);
      bytes[Math.floor(index / 7)] = (bytes[Math.floor(index / 7)] ?? 0) ^ (1 << (index % 7));
      expect(jaas.isAuthentic(signed(`t=1632490060,v1=${bytes.toString()}`), secret, at(0))).toBe(false);
    }
  });

  it('takes the user of the token as participant', () => {
    const { events } = jaas.translate(hookOf('jaas', JSON.parse(body)), { sessions: [] });
    expect(events).toMatchObject([
      {
        id: '9e9e7420-562d-4659-8e22-44b9b22aaa49',
        type: 'room.client.joined',
        data: {
          ...{ roomName: '/sampleappromanticshiftsstripas', roomSessionId: '9a441d60-ceaf-4eba-b0a8-a7d940a76e1b' },
          ...{ participantId: 'auth0|5f903d7a77f3b4006eb8e67d', userId: 'auth0|5f903d7a77f3b4006eb8e67d' },
          ...{ deviceId: 'fc1ea14a-9bca-4218-a563-8c627e803d56', roleName: 'host', displayName: 'Test User' },
        },
      },
    ]);
  });
});

describe('the translation of JaaS', () => {
  const translate = (eventType: string, data: unknown, idempotencyKey = 'key') => {
    const envelope = { idempotencyKey, sessionId: '9a441d60-ceaf-4eba-b0a8-a7d940a76e1b', eventType };
    const payload = { ...envelope, timestamp: 1632490058278, fqn: 'vpaas-1/standup', data };
    const { events } = jaas.translate(hookOf('jaas', payload), { sessions: [] });
    for (const event of events) expect(RoomEvent.safeParse(event).error).toBeUndefined();
    return events;
  };

  it.each([
    ['ROOM_CREATED', {}, ['room.created', 'room.session.started']],
    ['ROOM_DESTROYED', {}, ['room.session.ended']],
    ['PARTICIPANT_LEFT', { participantJid: 'a@8x8.vc', disconnectReason: 'left' }, ['room.client.left']],
    ['DIAL_IN_STARTED', { participantJid: 'a@8x8.vc', nick: '+1' }, ['room.client.joined']],
    ['SIP_CALL_OUT_ENDED', { participantJid: 'a@8x8.vc' }, ['room.client.left']],
    ['RECORDING_STARTED', { conference: 'standup' }, ['room.client.joined']],
    ['FEEDBACK', { rating: 5, comments: 'x', userId: 'u' }, ['room.client.rated']],
    ['FEEDBACK', { rating: -1, comments: 'x', userId: 'u' }, []],
    ['USAGE', [{ deviceId: 'd', userId: 'u' }, { deviceId: '+1' }], ['room.client.updated']],
    [
      'SPEAKER_STATS',
      { 'a@8x8.vc/1': { time: 10089 }, 'b@8x8.vc/2': { time: 1, id: 'u' } },
      Array(2).fill('room.client.updated'),
    ],
    ['RECORDING_UPLOADED', { preAuthenticatedLink: 'https://x' }, []],
    ['constructor', {}, []],
  ])('%s %j', (type, data, types) => {
    expect(translate(type, data).map((event) => event.type)).toEqual(types);
  });

  it('gives the talk time of a connection one id, so that a later webhook replaces it', () => {
    const idsOf = (key: string, jid: string) =>
      translate('SPEAKER_STATS', { [jid]: { time: 1000, id: 'u' } }, key).map(({ id }) => id);
    expect(idsOf('later', 'a@8x8.vc/1')).toEqual(idsOf('key', 'a@8x8.vc/1'));
    expect(idsOf('key', 'a@8x8.vc/2')).not.toEqual(idsOf('key', 'a@8x8.vc/1'));
  });

  it('makes a breakout room a room and a session of its own', () => {
    const [ended] = translate('ROOM_DESTROYED', { isBreakout: true, breakoutRoomId: 'b1' });
    expect(ended?.data).toMatchObject({ roomName: '/standup/b1' });
    expect(ended?.data).not.toMatchObject({ roomSessionId: '9a441d60-ceaf-4eba-b0a8-a7d940a76e1b' });
  });
});

describe('Jitsi', () => {
  const created = 1768471200;
  const iso = (seconds: number) => new Date((created + seconds) * 1000).toISOString();
  const room = { room_name: 'standup', room_jid: 'standup@conference.meet.example', is_breakout: false };
  const ada = { occupant_jid: 'n1@meet.example/r1', joined_at: created + 1, name: 'Ada', id: 'u-1' };
  const jibri = { occupant_jid: 'recorder@recorder.meet.example/x', joined_at: created + 2 };
  const left = { ...ada, left_at: created + 1, total_dominant_speaker_time: 400 };
  const more = { created_at: created, destroyed_at: created + 9, all_occupants: [left, jibri] };
  const sessionOf = (startedAt: string, endedAt: string | null = null) => ({
    roomName: '/standup',
    sessionId: 'key',
    startedAt,
    endedAt,
  });
  const translate = (type: string, payload: object, sessions = [sessionOf(iso(0))]) => {
    const translation = jitsi.translate(hookOf('jitsi', { event_name: type, ...room, ...payload }), { sessions });
    for (const event of translation.events) expect(RoomEvent.safeParse(event).error).toBeUndefined();
    return translation;
  };

  it('authenticates by the bearer token alone', () => {
    const secret = { value: 's'.repeat(43), createdAt: iso(0) };
    const authentic = (authorization?: string) =>
      jitsi.isAuthentic(requestOf({ authorization }, ''), secret, new Date());
    expect(authentic(`Bearer ${secret.value}`)).toBe(true);
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      secret.value,
      `Bearer ${secret.value}s`,
      `Bearer ${'s'.repeat(42)}t`,
    ]) {
      expect(authentic(wrong)).toBe(false);
    }
  });

  it('tells at the end the same events as live, but for the mark', () => {
    const sessions = translate('muc-room-created', { created_at: created }, []).sessions ?? [];
    const live = [
      ...translate('muc-room-created', { created_at: created }, []).events,
      ...translate('muc-occupant-joined', { occupant: ada }, [...sessions]).events,
      ...translate('muc-occupant-joined', { occupant: jibri }, [...sessions]).events,
      ...translate('muc-occupant-left', { occupant: left }, [...sessions]).events,
    ];
    const told = translate('muc-room-destroyed', more, []).events;
    const plain = told.map(({ inferred: _, reason: __, ...event }) => event);
    const once = [...new Map(live.map((event) => [event.id, event])).values()];
    expect(plain.filter(({ type }) => type !== 'room.session.ended').toSorted(byId)).toEqual(once.toSorted(byId));
    expect(told.filter(({ inferred }) => inferred).map(({ type }) => type)).toEqual([
      ...['room.client.joined', 'room.client.left', 'room.client.joined'],
    ]);
  });

  it('tells the join again with the leave', () => {
    const [joined] = translate('muc-occupant-joined', { occupant: ada }).events;
    const { events } = translate('muc-occupant-left', { occupant: left });
    expect(events.map(({ type }) => type)).toEqual(['room.client.joined', 'room.client.left', 'room.client.updated']);
    expect(events[0]).toEqual(joined);
  });

  it('needs no state with the id of the meeting', () => {
    const meeting_id = '9A441d60-ceaf-4eba-b0a8-a7d940a76e1b';
    const { events } = translate('muc-occupant-joined', { occupant: ada, meeting_id }, []);
    expect(events[0]?.data).toMatchObject({
      roomSessionId: meeting_id.toLowerCase(),
      participantId: 'u-1',
      deviceId: 'n1',
    });
    const recorded = {
      event_name: 'roomscribe-recording-finished',
      meeting_id,
      start: created,
      end: created + 5,
      bucket: 'abc',
      key: 'a/b.mka',
    };
    const { sessions = [] } = translate('muc-room-created', { created_at: created, meeting_id }, []);
    const needed = jitsi.roomOf?.(hookOf('jitsi', recorded));
    const known = sessions.filter(({ roomName }) => roomName === needed?.roomName);
    const {
      events: [recording],
    } = jitsi.translate(hookOf('jitsi', recorded), { sessions: known });
    expect(recording?.data).toMatchObject({
      roomName: '/standup',
      roomSessionId: meeting_id.toLowerCase(),
      filename: 'b.mka',
    });
    expect(jitsi.translate(hookOf('jitsi', recorded), { sessions: [] })).toEqual({ events: [], waits: true });
  });

  it('waits for a session, and for the next one if the known one began long ago and nobody ended it', () => {
    const late = { ...ada, joined_at: created + 3600 };
    expect(translate('muc-occupant-joined', { occupant: ada }, []).waits).toBe(true);
    expect(translate('muc-occupant-joined', { occupant: late }, [sessionOf(iso(0), iso(9))]).waits).toBe(true);
    expect(translate('muc-occupant-joined', { occupant: late }, [sessionOf(iso(0), iso(9999))]).waits).toBeUndefined();
    for (const active_occupants_count of [1, 2])
      expect(translate('muc-occupant-joined', { occupant: late, active_occupants_count })).toEqual({
        ...{ events: [], waits: true, mayBe: { roomName: '/standup', roomSessionId: expect.any(String) } },
      });
  });

  it('gives recorders and transcribers their roles, and leaves out the focus', () => {
    const roleOf = (occupant_jid: string) => {
      const [event] = translate('muc-occupant-joined', { occupant: { ...jibri, occupant_jid } }).events;
      return (event?.data as { roleName?: string } | undefined)?.roleName;
    };
    expect(roleOf('recorder@recorder.meet.example/x')).toBe('recorder');
    expect(roleOf('transcriber@recorder.meet.example/x')).toBe('captioner');
    expect(roleOf('focus@auth.meet.example/x')).toBeUndefined();
    expect(roleOf('n1@meet.example/x')).toBe('visitor');
  });

  it('takes a resource as a role on the hosts of services alone, because people choose their own', () => {
    const rolesOf = (occupant_jid: string, roles?: string) => {
      const hook = hookOf('jitsi', {
        event_name: 'muc-occupant-joined',
        ...room,
        occupant: { ...jibri, occupant_jid },
      });
      const connection = { ...hook.connection, settings: roles === undefined ? {} : { roles } };
      const { events } = jitsi.translate({ ...hook, connection }, { sessions: [sessionOf(iso(0))] });
      return events.map(({ data }) => (data as { roleName?: string }).roleName);
    };
    for (const resource of ['focus', 'jvb', 'jibri', 'recorder', 'transcriber', 'jigasi', 'FOCUS', 'notes']) {
      for (const host of ['guest.meet.example', 'meet.example', 'meet.auth.example'])
        expect(rolesOf(`0b1c@${host}/${resource}`, 'notes=captioner')).toEqual(['visitor']);
      expect(rolesOf(`0b1c@bots.meet.example/${resource}`, 'bots=host,notes=captioner')).toEqual(['host']);
    }
    for (const host of ['auth', 'internal', 'hidden', 'recorder', 'Auth']) {
      expect(rolesOf(`0b1c@${host}.meet.example/focus`)).toEqual([]);
      expect(rolesOf(`0b1c@${host}.meet.example/jigasi`)).toEqual(['dial-in']);
      expect(rolesOf(`0b1c@${host}.meet.example/notes`, 'notes=captioner')).toEqual(['captioner']);
    }
  });

  describe('the tracks of the multitrack recorder', () => {
    const meeting_id = '9a441d60-ceaf-4eba-b0a8-a7d940a76e1b';
    const endOf = (...jids: string[]) => {
      const all_occupants = jids.map((occupant_jid) => ({
        occupant_jid,
        joined_at: created + 1,
        left_at: created + 9,
      }));
      const payload = { created_at: created, destroyed_at: created + 9, all_occupants, meeting_id };
      return translate('muc-room-destroyed', payload, []);
    };
    const speakersOf = (jids: string[], ...endpoints: string[]) => {
      const times = { start: created + 1, end: created + 5 };
      const tracks = endpoints.map((endpoint_id, index) => ({ endpoint_id, key: `a/${index}.webm`, ...times }));
      const file = { meeting_id, bucket: 'abc', key: 'a/b.mka', ...times, tracks };
      const recorded = hookOf('jitsi', { event_name: 'roomscribe-recording-finished', ...file });
      const needed = jitsi.roomOf?.(recorded);
      const sessions = (endOf(...jids).sessions ?? []).filter(({ roomName }) => roomName === needed?.roomName);
      const [event] = jitsi.translate(recorded, { sessions }).events;
      expect(RoomEvent.safeParse(event).error).toBeUndefined();
      const { tracks: named = [] } = (event?.data ?? {}) as { tracks?: { participantId: string }[] };
      return named.map(({ participantId }) => participantId);
    };
    const ann = '0a1b2c3d-5195-4a4d-8efb-f58b49d18741';

    it('are of the connection that has exactly their endpoint', () => {
      expect(speakersOf([`${ann}@meet.example/x`], '0a1b2c3d')).toEqual([ann]);
      const others = ['0A1B2C3D', '0a1b2c3D', '__proto__', 'constructor', 'toString', 'hasOwnProperty'];
      expect(speakersOf([`${ann}@meet.example/x`], ...others)).toEqual(others);
    });

    it('are of the participant whom the events of the connection name', () => {
      const jid = 'jigasi@auth.meet.example/call-1';
      const named = endOf(jid).events.flatMap(({ data }) => ('participantId' in data ? [data.participantId] : []));
      expect(new Set(named)).toEqual(new Set(['jigasi/call-1']));
      expect(speakersOf([jid], 'jigasi')).toEqual(['jigasi/call-1']);
    });

    it('are a participant of their own if their endpoint is that of several, or of nobody in the insights', () => {
      const callers = ['jigasi@auth.meet.example/call-1', 'jigasi@auth.meet.example/call-2'];
      expect(speakersOf(callers, 'jigasi')).toEqual(['jigasi']);
      const alike = [`${ann}@meet.example/x`, '0a1b2c3d-0000-4a4d-8efb-f58b49d18741@meet.example/y'];
      expect(speakersOf([...alike, `${ann}@meet.example/z`], '0a1b2c3d')).toEqual(['0a1b2c3d']);
      expect(speakersOf([...alike].reverse(), '0a1b2c3d')).toEqual(['0a1b2c3d']);
      expect(speakersOf(['jvb-of-room-1@jvb.meet.example/x'], 'jvb-of-r')).toEqual(['jvb-of-r']);
    });

    it('are of an account that two connections share', () => {
      expect(speakersOf(['ann@meet.example/x', 'ann@meet.example/y'], 'ann')).toEqual(['ann']);
    });
  });
});

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

it.each([jaas, jitsi])('$name never throws at what anybody can send', (platform) => {
  const headers = fc.dictionary(fc.constantFrom('authorization', 'x-jaas-signature'), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(headers, fc.uint8Array(), fc.string(), (names, bytes, value) => {
      const secret = { value, createdAt: '2026-01-01T00:00:00.000Z' };
      expect(
        platform.isAuthentic(requestOf(names, Buffer.from(bytes)), { ...secret, value: `x${value}` }, new Date()),
      ).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      platform.roomOf?.(hookOf(platform.name, payload));
      expect(platform.translate(hookOf(platform.name, payload), { sessions: [] })).toEqual({ events: [] });
    }),
  );
});
