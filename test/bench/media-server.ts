import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MediaFile } from '#shared/adapters/media/media-source.ts';

/** A file on disk, read in ranges. */
export async function diskFile(path: string): Promise<MediaFile & { readonly close: () => Promise<void> }> {
  const handle = await open(path);
  const { size } = await handle.stat();
  return {
    bytes: size,
    async readRange(start, end) {
      const bytes = new Uint8Array(end - start);
      await handle.read(bytes, 0, bytes.byteLength, start);
      return bytes;
    },
    close: () => handle.close(),
  };
}

/**
 * Serves files as S3 serves objects: GET with a range, and multipart uploads, whose bytes it discards. So a process that uses
 * the S3 client has all of its costs, and files of any size need no space.
 */
export async function startMediaServer(files: ReadonlyMap<string, MediaFile>) {
  const server = createServer((request, response) => {
    answer(files, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

async function answer(files: ReadonlyMap<string, MediaFile>, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://s3');
  if (request.method === 'GET' || request.method === 'HEAD') return sendRange(files, url, request, response);
  for await (const _ of request);
  if (request.method === 'POST' && url.searchParams.has('uploads'))
    return end(response, 'InitiateMultipartUploadResult');
  if (request.method === 'POST') return end(response, 'CompleteMultipartUploadResult');
  response.writeHead(request.method === 'DELETE' ? 204 : 200, { etag: '"part"' }).end();
}

function end(response: ServerResponse, name: string) {
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><${name}><UploadId>upload</UploadId><ETag>"whole"</ETag></${name}>`);
}

async function sendRange(
  files: ReadonlyMap<string, MediaFile>,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const file = files.get(url.pathname.slice(1));
  if (file && request.method === 'HEAD') {
    response.writeHead(200, { etag: '"file"', 'content-length': file.bytes }).end();
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (!file || first === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [start, stop] = [Number(first), Math.min(Number(last) + 1, file.bytes)];
  const body = await file.readRange(start, stop, new AbortController().signal);
  const headers = { etag: '"file"', 'content-length': stop - start };
  response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${stop - 1}/${file.bytes}` }).end(body);
}
