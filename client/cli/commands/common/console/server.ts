import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConsoleAnswer,
  type ConsoleFiles,
  configAnswer,
  configPath,
  consolePath,
  plainAnswer,
  redirectTo,
} from '../../../../../console/serving/files.ts';
import { errorAnswer, send } from './answers.ts';
import { apiPath, forward, type Upstream } from './forward.ts';
import { refusalOf } from './guard.ts';
import { filesPath } from './links.ts';
import { createSession, type Session } from './session.ts';
import { streamFile } from './stream-file.ts';

/** What the server of the console needs. */
export type ConsoleServerOptions = {
  /** 0 takes a free port. */
  readonly port: number;
  readonly files: ConsoleFiles;
  readonly upstream: Upstream;
  /** The name that the page shows. */
  readonly deployment: string;
  /** The address of the first view, without `/console`. */
  readonly view: string;
  /** The server tells when it was idle for so long. */
  readonly idleMs: number;
};

/** A running server of the console. */
export type ConsoleServer = {
  /** The link that lets one browser in. */
  readonly link: string;
  /** Ends when nobody has asked anything for a long time. */
  readonly idle: Promise<void>;
  readonly stop: () => Promise<void>;
};

/** The path of the link. */
const enterPath = `${consolePath}enter`;

/** Serves the console on this machine, and forwards its calls to the API with the token of the account. Throws if the port is in use. */
export async function startConsoleServer(options: ConsoleServerOptions): Promise<ConsoleServer> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen(options.port, '127.0.0.1');
  await listening;
  const { port } = server.address() as AddressInfo;
  const session = createSession(port);
  const { idle, seen } = idleAfter(options.idleMs);
  const context = { ...options, port, session, seen };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response, context).catch(() => {
      if (response.headersSent) response.destroy();
      else send(response, errorAnswer(500, 'internal_error', 'The console failed.'));
    });
  });
  return {
    link: `http://127.0.0.1:${port}${enterPath}?key=${session.key}`,
    idle,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Context = ConsoleServerOptions & {
  readonly port: number;
  readonly session: Session;
  /** Tells that the reader is there. A stranger's requests do not keep the command alive. */
  readonly seen: () => void;
};

async function respond(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const refusal = refusalOf(request, context.port);
  if (refusal !== undefined) return answer(request, response, plainAnswer(403, refusal));
  if (context.session.isIn(request)) context.seen();
  const [path = ''] = (request.url ?? '').split('?');
  const needsSession = path === configPath || path.startsWith(apiPath) || path.startsWith(filesPath);
  if (needsSession && !context.session.isIn(request)) return answer(request, response, plainAnswer(401, openTheLink));
  if (path.startsWith(apiPath)) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return answer(request, response, await forward(request, context.upstream, gone.signal));
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answer(request, response, plainAnswer(405, 'Pages of the console can only be read.'));
  if (path.startsWith(filesPath)) {
    const link = context.upstream.links.find(path);
    if (link !== undefined) return streamFile(request, response, link);
  }
  answer(request, response, pageOf(request, path, context));
}

const openTheLink =
  'Open the link that roomscribe console has printed. It works once, in one browser: for another one, run the command again.';

function pageOf({ method, url = '' }: IncomingMessage, path: string, context: Context): ConsoleAnswer {
  const { session, files, deployment, view } = context;
  if (path === '/') return redirectTo(consolePath);
  if (path === configPath) return configAnswer({ signIn: 'session', deployment });
  if (path !== enterPath) return files(path) ?? plainAnswer(404, 'There is no such file, or its link has expired.');
  if (method === 'HEAD') return plainAnswer(405, 'A link is opened by a browser.'); // programs that look at links use none up
  const entry = session.enter(new URL(url, 'http://localhost').searchParams.get('key') ?? '');
  if (entry === 'used') return plainAnswer(403, wasUsed);
  if (entry === 'wrong') return plainAnswer(403, isWrong);
  context.seen();
  return redirectTo(`${consolePath.slice(0, -1)}${view}`, { 'set-cookie': entry.cookie });
}

const wasUsed =
  'This link was used, and works once. If it was not you who used it, end the command with Ctrl-C. For a new link, run it again.';
const isWrong =
  'This is not the link of the command that runs now. Open the link that it has printed, or run it again.';

/** Sends an answer. If the body of the request was not read to its end, closes the connection. */
function answer(request: IncomingMessage, response: ServerResponse, answered: ConsoleAnswer): void {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  if (!request.complete && (encoding !== undefined || length !== '0')) {
    response.setHeader('connection', 'close');
    request.resume();
  }
  send(response, answered);
}

/** A promise that ends when nothing was seen for so long. It does not keep the process alive. */
function idleAfter(ms: number): { readonly idle: Promise<void>; readonly seen: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let end = () => {};
  const idle = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen = () => {
    clearTimeout(timer);
    timer = setTimeout(end, ms).unref();
  };
  seen();
  return { idle, seen };
}
