import { errorMessage } from '#tools/shared/error-details.ts';

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

const emptyAfterMs = 1000;

/**
 * While the disk is full, refuses to store an object or a message, and shows queues as empty: what a function makes of
 * a message could not be stored. Returns true if it answers the request.
 */
export function refuseWrite(request: Request, reply: Reply, isDiskFull: () => boolean): boolean {
  const { method, url, headers } = request;
  const isUpload = method === 'PUT' || (method === 'POST' && /[?&]upload(s|Id)\b/.test(url));
  const [, verb] = /^AmazonSQS\.(Send|Receive)Message/.exec(String(headers['x-amz-target'])) ?? [];
  if (!(isUpload || verb) || !isDiskFull()) return false;
  if (verb === 'Receive') setTimeout(() => reply.header('content-type', sqsJson).send('{}'), emptyAfterMs);
  else answerUnavailable(request, reply);
  return true;
}

/** Answers a request that failed for want of room, of a file or of SQLite. Other errors are answered as before. */
export function answerFailure(error: unknown, request: Request, reply: Reply): void {
  const isDiskFull = /^(ENOSPC|EDQUOT)|disk (is full|I\/O error)/.test(errorMessage(error));
  if (isDiskFull) answerUnavailable(request, reply);
  else reply.send(error);
}

/** The error of S3 and of SQS after which SDKs send the request again. */
function answerUnavailable({ headers }: Request, reply: Reply): void {
  const [code, message] = ['ServiceUnavailable', 'The disk of this machine is full.'];
  const isSqs = headers['x-amz-target'] !== undefined;
  const xml = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  reply.code(503).header('content-type', isSqs ? sqsJson : 'application/xml');
  reply.send(isSqs ? JSON.stringify({ __type: `com.amazonaws.sqs#${code}`, message }) : xml);
}

const sqsJson = 'application/x-amz-json-1.0';
