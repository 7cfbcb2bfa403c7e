import { errorCode } from '../../shared/error-details.ts';

// https://www.sqlite.org/rescode.html
const sqliteCodes = { full: 13, inputOrOutput: 10 };

/** The parts of Fastify's request and reply that this module uses. */
type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly 'x-amz-target'?: string | readonly string[] };
};
type Reply = {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): unknown;
};

/**
 * Refuses to store an object or a message, and to deliver a message, while the disk is full. Returns true if it answered
 * the request.
 */
export function refuseWrite(request: Request, reply: Reply, isDiskFull: () => boolean): boolean {
  if (!stores(request) || !isDiskFull()) return false;
  answerUnavailable(request, reply);
  return true;
}

/** Answers a request that failed for want of room. Other errors are answered as before. */
export function answerFailure(error: unknown, request: Request, reply: Reply): void {
  if (isDiskFullError(error)) answerUnavailable(request, reply);
  else reply.send(error);
}

function stores({ method, url, headers }: Request): boolean {
  const isUpload = method === 'POST' && /[?&]upload(s|Id)\b/.test(url);
  return method === 'PUT' || isUpload || /^AmazonSQS\.(Send|Receive)Message/.test(String(headers['x-amz-target']));
}

/** The error of S3 and of SQS after which SDKs send the request again. */
function answerUnavailable({ headers }: Request, reply: Reply): void {
  const [code, message] = ['ServiceUnavailable', 'The disk of this machine is full.'];
  reply.code(503);
  if (headers['x-amz-target'] === undefined) {
    reply.header('content-type', 'application/xml');
    reply.send(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  } else {
    reply.header('content-type', 'application/x-amz-json-1.0');
    reply.send(JSON.stringify({ __type: `com.amazonaws.sqs#${code}`, message }));
  }
}

/** Whether a write failed because there was no room for it: of a file, or of SQLite. */
function isDiskFullError(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  const sqliteCode = typeof errcode === 'number' ? errcode & 0xff : undefined; // the rest of the number says more
  return (
    ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '') ||
    sqliteCode === sqliteCodes.full ||
    sqliteCode === sqliteCodes.inputOrOutput
  );
}
