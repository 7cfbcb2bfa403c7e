import { expect, test } from 'vitest';
import { person } from '../../support/client/terminal.ts';
import { endpoints, organization } from '../../support/machine.ts';

const secret = 'local';

test('login asks for missing values, and never shows the secret', async () => {
  const { roomscribe } = await person();
  const acme = organization();
  const login = roomscribe(['login']);
  await login.until(/API URL/);
  login.type(`${endpoints.apiUrl}\r`);
  await login.until(/Token URL/);
  login.type(`${endpoints.tokenUrl}\r`);
  await login.until(/Client id/);
  login.type(`${acme}\r`);
  await login.until(/Client secret/);
  login.type(`${secret}\r`);

  await login.until(/Logged in\. The profile "default" is saved in/);
  expect(await login.exitCode).toBe(0);
  expect(login.hasCursor()).toBe(true);
  const typed = login.raw().replaceAll(endpoints.tokenUrl, '');
  expect(typed).not.toContain(secret);
  const list = roomscribe(['transcriptions', 'list']);
  await list.until(/No transcriptions\./);
  expect(await list.exitCode).toBe(0);
});

test('login checks each answer before the next question', async () => {
  const { roomscribe } = await person();
  const login = roomscribe(['login']);
  await login.until(/API URL/);
  login.type('api.example\r');
  await login.until(/API URL must be an https URL/);
  expect(await login.screen()).not.toContain('Token URL');
  login.press('ctrl-c');
  expect(await login.exitCode).toBe(130);
});

test('Ctrl-C at a login question stores nothing and restores the terminal', async () => {
  const { bash, roomscribe } = await person();
  const login = bash(
    'roomscribe login --api-url https://api.example --token-url https://issuer.example; echo "=> $?"; stty -a',
  );
  await login.until(/Client id/);
  login.type('acme\r');
  await login.until(/Client secret/);
  login.type('half of a sec');
  login.press('ctrl-c');

  await login.until(/=> 130\n/);
  await login.until(/ icanon .* echo /s);
  expect(login.hasCursor()).toBe(true);
  expect(login.raw()).not.toContain('half of');
  const profiles = roomscribe(['profiles']);
  await profiles.until(/No profiles\. To create one, run: roomscribe login/);
});

test('login rejects a wrong secret and stores nothing', async () => {
  const { roomscribe } = await person();
  const { apiUrl, tokenUrl } = endpoints;
  const login = roomscribe(['login', '--api-url', apiUrl, '--token-url', tokenUrl, '--client-id', organization()]);
  await login.until(/Client secret/);
  login.type('a wrong one\r');

  await login.until(/Nothing was saved\. Check your values and try again\./);
  expect(await login.exitCode).toBe(3);
  expect(login.raw()).not.toContain('a wrong one');
});
