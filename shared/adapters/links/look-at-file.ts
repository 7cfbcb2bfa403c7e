import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import type { RecordingFiles } from '#shared/use-cases/links/create-recording-link.ts';

const timeoutMs = 5_000;

/** Looks at a file by a signed link of a HEAD request. So a function needs no permission of its own, and not the S3 client. */
export function lookAtFile(request: typeof fetch = fetch): RecordingFiles['look'] {
  return async (link) => {
    const answer = await request(link, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) }).catch((cause) => {
      throw new ServiceUnavailable('S3 did not answer.', { cause });
    });
    if (answer.status === 404) return 'missing';
    if (!answer.ok) throw new ServiceUnavailable(`S3 answered with ${answer.status} to the look at a file.`);
    return { contentType: answer.headers.get('content-type') ?? undefined };
  };
}
