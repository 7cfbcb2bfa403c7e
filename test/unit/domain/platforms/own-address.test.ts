import { expect, test } from 'vitest';
import { isOwnAddress } from '#shared/domain/platforms/own-address.ts';

const deployed = 'https://abc.execute-api.eu-west-1.amazonaws.com';
const local = 'http://127.0.0.1:4000';

test.each([
  [deployed, `${deployed}/v1/hooks/c/whereby`],
  [deployed, 'https://ABC.execute-api.eu-west-1.amazonaws.com:443?x=1'],
  [deployed, 'https://abc.execute-api.eu-west-1.amazonaws.com./'],
  [local, `${local}/v1/hooks/c/whereby`],
  [local, 'http://localhost:4000/'],
  [local, 'http://localhost.:4000/'],
  [local, 'http://2130706433:4000/'],
  [local, 'http://127.1.2.3:4000/'],
  [local, 'http://[::1]:4000/'],
  [local, 'http://[::ffff:127.0.0.1]:4000/'],
])('of %s is %s', (apiUrl, url) => {
  expect(isOwnAddress(url, apiUrl)).toBe(true);
});

test.each([
  [deployed, 'https://receiver.example/'],
  [deployed, 'https://abc.execute-api.eu-west-1.amazonaws.com.receiver.example/'],
  [deployed, 'no URL'],
  [local, 'http://127.0.0.1:4001/'],
  [local, 'http://192.168.1.1:4000/'],
])('of %s is not %s', (apiUrl, url) => {
  expect(isOwnAddress(url, apiUrl)).toBe(false);
});
