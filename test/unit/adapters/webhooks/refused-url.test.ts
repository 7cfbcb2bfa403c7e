import { expect, test } from 'vitest';
import { receiverModes } from '#shared/adapters/webhooks/receiver-address.ts';
import { refusalOfUrl } from '#shared/adapters/webhooks/refused-url.ts';

/** Spellings of addresses that are not public. A URL parser reads each as one of them, or refuses it. */
const notPublic = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
  ],
  ...[
    '127.255.255.254',
    '0x7f.0x0.0x0.0x1',
    '0',
    '0.0.0.0',
    '0x0',
    '1２7.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '127%2e0.0.1',
  ],
  ...['10.0.0.1', '10.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xc0a80101', '192.168.257'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.254.100.1'],
  ...['100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295', '192.88.99.1'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::0001]', '[::127.0.0.1]', '[::7f00:1]', '[::a9fe:a9fe]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:169.254.169.254]', '[::ffff:8.8.8.8]', '[::ffff:0:7f00:1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
  ],
  ...[
    '[2001:0:7f00:1::]',
    '[2001:0000:4136:e378:8000:63bf:80ff:fffe]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  ...['[ff02::1]', '[2001:db8::1]', '[100::1]', '[4000::1]', '[5f00::1]', '[3fff::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'ｌocalhost', 'local%68ost'],
];

test.each(notPublic)('a public receiver cannot be https://%s', (host) => {
  expect(refusalOfUrl(`https://${host}/hook`, 'public')).toMatch(
    /^must (name a host with a public address|be an absolute URL)$/,
  );
  expect(refusalOfUrl(`https://${host}:8443/hook`, 'public')).toBeDefined();
});

test('the spellings are many, and most of them are read as an address', () => {
  expect(notPublic.length).toBeGreaterThan(70);
  expect(notPublic.filter((host) => URL.canParse(`https://${host}/`)).length).toBeGreaterThan(70);
});

test.each([
  'https://example.com',
  'https://example.com:8443/hooks?token=a%20b',
  'https://8.8.8.8/hook',
  'https://134744072/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://[2a00:1450:4001:80b::200e]/hook',
  'HTTPS://EXAMPLE.COM./hook',
  'https://xn--bcher-kva.example/hook',
  'https://notlocalhost/hook',
  'https://localhost.example.com/hook',
])('%s may be called in both modes', (url) => {
  for (const mode of receiverModes) expect(refusalOfUrl(url, mode)).toBeUndefined();
});

test.each([
  ['http://example.com', 'must begin with https://'],
  ['ftp://example.com', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['gopher://example.com:70/_', 'must begin with https://'],
  ['javascript:alert(1)', 'must begin with https://'],
  ['data:text/plain,a', 'must begin with https://'],
  ['example.com/hook', 'must be an absolute URL'],
  ['//example.com/hook', 'must be an absolute URL'],
  ['https://', 'must be an absolute URL'],
  ['https://example.com:99999', 'must be an absolute URL'],
  ['https://exa mple.com', 'must not contain spaces or control characters'],
  ['https://example.com/\r\nHost: other', 'must not contain spaces or control characters'],
  ['\thttps://example.com', 'must not contain spaces or control characters'],
  ['https://example.com/\u0000', 'must not contain spaces or control characters'],
  ['https://user@example.com', 'must not contain a user name or a password'],
  ['https://user:secret@example.com', 'must not contain a user name or a password'],
  ['https://:secret@example.com', 'must not contain a user name or a password'],
  ['https://example.com@127.0.0.1', 'must not contain a user name or a password'],
  ['https://example.com/#part', 'must not contain a fragment'],
  ['https://example.com#', 'must not contain a fragment'],
  ['https://example.com:0/', 'must not name port 0'],
  ['https:127.0.0.1', 'must name a host with a public address'],
  ['https:\\\\127.0.0.1\\hook', 'must name a host with a public address'],
])('%j is refused with its reason', (url, reason) => {
  expect(refusalOfUrl(url, 'public')).toBe(reason);
});

test.each([
  'http://127.0.0.1:8080/hook',
  'http://localhost:8080',
  'https://localhost',
  'http://[::1]:8080',
  'http://example.com',
])('the local runner may call %s', (url) => {
  expect(refusalOfUrl(url, 'this-machine')).toBeUndefined();
});

test.each([
  ...['http://127.0.0.2', 'http://10.0.0.1', 'http://169.254.169.254/latest', 'http://192.168.0.1', 'http://0.0.0.0'],
  ...['http://[::ffff:127.0.0.1]', 'http://[fd00::1]', 'ftp://127.0.0.1', 'http://user@127.0.0.1'],
])('the local runner may not call %s', (url) => {
  expect(refusalOfUrl(url, 'this-machine')).toBeDefined();
});
