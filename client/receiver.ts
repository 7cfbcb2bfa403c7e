// biome-ignore-all lint/performance/noBarrelFile: what the package exports under `roomscribe/webhooks`
import { webhookHeaders } from './contract.ts';
import type { Notice, TestNotice } from './types.ts';

export { webhookHeaders } from './contract.ts';
export type { Notice, NoticeType, TestNotice } from './types.ts';

/** Why a webhook was refused. */
export type WebhookVerificationCode =
  /** A header of the signature is missing: the request is not a webhook, or a proxy has removed it. */
  | 'missing_header'
  /** The timestamp or the signature is not in the format of Standard Webhooks. */
  | 'malformed_signature'
  /** It was signed too long ago: it is a copy of an earlier request, or the clock of this machine is ahead. */
  | 'timestamp_too_old'
  /** It was signed in the future: the clock of this machine is behind. */
  | 'timestamp_too_new'
  /** It was signed with another secret, or the body is not the one that was signed. */
  | 'wrong_signature'
  /** The signature is right, but the body is not a notice. */
  | 'not_a_notice';

/** A webhook that must not be trusted. Answer 400, and do nothing else. Branch on `code`. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers of a request: those of `fetch`, those of Node, or any object with their names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** A webhook as it was received, and the secrets that it can be signed with. */
export type ReceivedWebhook = {
  readonly headers: WebhookHeaders;
  /** The body as it was received, as text or bytes. A parsed object is not enough: its text can differ from the one that was signed. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** How far the timestamp may be from the clock of this machine. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
} & (
  | { /** The secret of the webhook, which begins with `whsec_`. */ readonly secret: string }
  | {
      /** Several secrets, of which one must fit: those of several webhooks, or of a rotation. */ readonly secrets: readonly string[];
    }
);

const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;
const secretPrefix = 'whsec_';
const utf8 = new TextEncoder();

/**
 * Verifies a webhook as Standard Webhooks say, and returns its notice, or that of a test. Throws a `WebhookVerificationError` for a webhook that must not be
 * trusted, and a `TypeError` if a secret, the body or the tolerance is not what it must be.
 */
export async function verifyWebhook(webhook: ReceivedWebhook): Promise<Notice | TestNotice> {
  const { headers, toleranceSeconds = 300 } = webhook;
  const { secret, secrets = [secret] } = webhook as { readonly secret: string; readonly secrets?: readonly string[] };
  if (secrets.length === 0) throw new TypeError('secrets must have at least one secret.');
  const keys = await Promise.all(secrets.map(keyOf));
  const body = bytesOf(webhook.body);
  const id = headerOf(headers, webhookHeaders.id);
  const timestamp = headerOf(headers, webhookHeaders.timestamp);
  const signatures = signaturesIn(headerOf(headers, webhookHeaders.signature));
  requireRecent(timestamp, toleranceSeconds);
  const signed = joined(utf8.encode(`${id}.${timestamp}.`), body);
  for (const key of keys) {
    const expected = toBase64(await crypto.subtle.sign(algorithm, key, signed));
    if (signatures.some((signature) => isSame(signature, expected))) return noticeIn(body);
  }
  const message = 'The webhook was signed with another secret, or its body is not the one that was signed.';
  throw new WebhookVerificationError('wrong_signature', message);
}

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const encoded = typeof secret === 'string' ? secret.replace(secretPrefix, '') : '';
  const bytes = fromBase64(encoded);
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('The secret must be the text that begins with whsec_, as the service has shown it.');
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
}

/** The bytes of a text, or of a copy of the bytes. */
function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return utf8.encode(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice() as Uint8Array<ArrayBuffer>;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError(
    'body must be the body as it was received, as text or bytes. If a framework has parsed it, let the framework pass it on unparsed.',
  );
}

/** The value of a header. Its name can have any case. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : textOf(headers, name);
  if (value) return value;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function textOf(headers: Exclude<WebhookHeaders, { get(name: string): string | null }>, name: string) {
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

/** The signatures of version 1. Others, such as those of later versions, are ignored. */
function signaturesIn(header: string): readonly string[] {
  const signatures = header.split(' ').flatMap((each) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(each)?.[1] ?? []);
  if (signatures.length > 0) return signatures;
  throw new WebhookVerificationError(
    'malformed_signature',
    `The header ${webhookHeaders.signature} has no signature of version 1.`,
  );
}

function requireRecent(timestamp: string, toleranceSeconds: number): void {
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number, 0 or greater.');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError(
      'malformed_signature',
      `The header ${webhookHeaders.timestamp} is not a number of seconds.`,
    );
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (age > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The webhook was signed ${age} seconds ago. At most ${toleranceSeconds} are allowed.`,
    );
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_too_new',
      `The webhook was signed ${-age} seconds in the future. Check the clock of this machine.`,
    );
}

/** Compares two texts of equal length in a time that does not tell where they differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

/** Reads base64. Undefined for other texts. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function noticeIn(body: Uint8Array): Notice | TestNotice {
  const notice = parsed(new TextDecoder().decode(body)) as Partial<Notice> | null | undefined;
  if (typeof notice?.id === 'string' && typeof notice.type === 'string' && typeof notice.data === 'object')
    return notice as Notice;
  throw new WebhookVerificationError('not_a_notice', 'The body of the webhook is not a notice.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
