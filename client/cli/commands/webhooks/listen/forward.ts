import { pause } from '../../../../signals.ts';
import type { Notice } from '../../../../types.ts';
import { signedHeaders } from './sign.ts';

/** Where notices are forwarded to, and how they are signed. */
export type Target = {
  readonly url: string;
  readonly secret: string;
  readonly isWhereby: boolean;
  readonly signal: AbortSignal;
  /** Called before a pause after a refused connection. */
  readonly onRetry: (pauseMs: number) => void;
};

/** What came of a notice. `answerCode` is null if there was no answer. */
export type Forwarded = {
  readonly answerCode: number | null;
  readonly latencyMs: number | null;
  readonly failure: string | null;
};

/** As long as the service waits for an answer. */
const timeoutMs = 10_000;
const pausesMs: readonly number[] = [500, 1_000, 2_000];

/** Posts a notice as the service does. Repeats it a few times if nothing listens at the address, for example while a receiver starts anew. */
export async function forward(notice: Notice, target: Target): Promise<Forwarded> {
  for (let attempt = 0; ; attempt++) {
    const forwarded = await post(notice, target);
    const pauseMs = pausesMs[attempt];
    if (forwarded.failure !== refused || pauseMs === undefined) return forwarded;
    target.onRetry(pauseMs);
    await pause(pauseMs, target.signal);
  }
}

const refused = 'connection refused';

async function post(notice: Notice, { signal, url, ...signing }: Target): Promise<Forwarded> {
  const body = JSON.stringify(notice);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Roomscribe/1.0 (+webhooks)',
    ...signedHeaders({ id: notice.id, body }, signing),
  };
  const timeout = AbortSignal.timeout(timeoutMs);
  const beganAt = Date.now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual', // the service follows none
      signal: AbortSignal.any([signal, timeout]),
    });
    await answer.body?.cancel();
    const failure = answer.ok ? null : 'not 2xx';
    return { answerCode: answer.status, latencyMs: Date.now() - beganAt, failure };
  } catch (error) {
    signal.throwIfAborted();
    return { answerCode: null, latencyMs: null, failure: timeout.aborted ? 'no answer in 10 s' : reasonOf(error) };
  }
}

/** Node has the reason in `cause`: that of one address, or of each that the name has. */
function reasonOf(error: unknown): string {
  const { cause } = error as {
    readonly cause?: { readonly code?: unknown; readonly errors?: readonly { code?: unknown }[] };
  };
  const code = cause?.code ?? cause?.errors?.[0]?.code;
  if (code === 'ECONNREFUSED') return refused;
  return typeof code === 'string' ? `no answer (${code})` : 'no answer';
}
