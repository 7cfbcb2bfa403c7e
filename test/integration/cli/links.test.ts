import { expect, test } from 'vitest';
import { commandLineOf } from '../../support/client/command-line.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { endpoints, organization } from '../../support/machine.ts';

test('link prints a link and its end, and revoke ends it', async () => {
  const acme = organization();
  const session = liveSession(acme);
  const location = await keepTranscript(session.key('notes.txt'), 'Hello.');
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(acme, session.path, 'ready');
  const { run } = await commandLineOf(acme);
  const link = ['transcriptions', 'link', session.transcriptionId, '--valid-for-seconds', '43200'];

  const { code, stdout, stderr } = await run(link);
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${endpoints.apiUrl}/v1/links/\\S{43}\n$`));
  expect(stderr).toMatch(/^Expires at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/);
  expect(await (await fetch(stdout.trim())).text()).toBe('Hello.');
  expect(JSON.parse((await run([...link, '--json'])).stdout)).toEqual({
    accessLink: expect.stringContaining('/v1/links/'),
    expires: expect.any(Number),
  });

  const revoke = ['transcriptions', 'revoke', session.transcriptionId];
  for (let time = 0; time < 2; time++)
    expect(await run(revoke)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('revoked') });
  expect((await fetch(stdout.trim())).status).toBe(404);
});
