import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

const source = readFileSync('infra/console/edge/console-paths.js', 'utf8');

/** Runs the source as CloudFront does: as a script of its own, with the event of a viewer's request. */
function answerTo(uri: string, querystring: object = {}): unknown {
  const request = { method: 'GET', uri, querystring, headers: {}, cookies: {} };
  const event = { version: '1.0', context: {}, viewer: { ip: '198.51.100.7' }, request };
  const answer = runInNewContext(`${source}\nhandler(event);`, { event }, { timeout: 1000 });
  return JSON.parse(JSON.stringify(answer)); // objects of another context have other prototypes
}

const query = { name: { value: '/team/stand.up' } };
const requested = (uri: string, querystring: object = {}) => ({
  method: 'GET',
  uri,
  querystring,
  headers: {},
  cookies: {},
});

describe('the paths of the console', () => {
  test.each(['/', '/console'])('redirect %s to the console', (path) => {
    expect(answerTo(path, query)).toEqual({
      statusCode: 302,
      statusDescription: 'Found',
      headers: { location: { value: '/console/' }, 'cache-control': { value: 'no-cache' } },
    });
  });

  test.each([
    '/console/',
    '/console/rooms',
    '/console/session',
    '/console/a/b/c',
    '/console/assets',
    '/console/%2e%2e',
  ])('answer the page for the view %s, and keep its query', (path) => {
    expect(answerTo(path, query)).toEqual(requested('/console/index.html', query));
  });

  test.each([
    '/console/index.html',
    '/console/config.json',
    '/console/assets/page-4f1c2a9b.js',
    '/console/favicon.svg',
  ])('answer the file %s', (path) => {
    expect(answerTo(path)).toEqual(requested(path));
  });

  test('tell files from views by the last part, and take nothing below assets for a view', () => {
    expect(answerTo('/console/v1.2/rooms')).toEqual(requested('/console/index.html'));
    for (const path of ['/console/assets/gone-00000000.js', '/console/assets/gone', '/console/assets/'])
      expect(answerTo(path)).toEqual(requested(path));
  });

  test.each(['/robots.txt', '/v1', '/consoles/', '/console.json', '//console/', '/index.html', '/Console/'])(
    'do not exist outside of the console: %s',
    (path) => {
      expect(answerTo(path)).toEqual({
        statusCode: 404,
        statusDescription: 'Not Found',
        headers: { 'cache-control': { value: 'no-cache' } },
      });
    },
  );
});

test('the source is a script within the limit of CloudFront', () => {
  expect(Buffer.byteLength(source)).toBeLessThan(10 * 1024);
  expect(source).not.toMatch(/\b(import|export|require)\b\s*[({'"]/);
  expect(source).not.toMatch(/\$\{|\beval\b|new Function/);
});
