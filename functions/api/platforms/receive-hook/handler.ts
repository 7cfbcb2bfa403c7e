import type { HookMessage } from '#shared/contracts/messages.ts';
import { type Connection, maxHookBytes } from '#shared/contracts/platforms/connection.ts';
import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import {
  type KeyAdmission,
  selfAuthenticatedEndpoint,
  type UnverifiedRequest,
} from '#shared/http/self-authenticated-endpoint.ts';
import { PayloadTooLarge, Unauthorized } from '#shared/runtime/errors.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import type { HookStore } from '#shared/use-cases/platforms/ports.ts';
import {
  isOwnNotice,
  storedHook,
  type Verdict,
  type VerifyDependencies,
  verifyHook,
} from '#shared/use-cases/platforms/receive-hook.ts';

type Deps = VerifyDependencies & {
  readonly hooks: Pick<HookStore, 'put'>;
  readonly sendHook: (message: HookMessage) => Promise<void>;
  readonly rateLimiter: KeyAdmission<unknown>['rateLimiter'];
};

const bytesPerPoint = 4096;

type Admitted = Extract<Verdict, { origin: 'probe' | 'authentic' }>;

/**
 * POST /v1/hooks/{connectionId}/{proxy+}: stores a signed webhook of a platform and sends a pointer to it. Notices of this
 * service are dropped. If the process dies before it
 * answers, the platform repeats the webhook.
 */
export const createHandler = ({ hooks, sendHook, rateLimiter, ...deps }: Deps) => {
  const authenticate = async ({ params, headers, rawQueryString, rawBody }: UnverifiedRequest) => {
    const connectionId = params.connectionId ?? '';
    const verdict = await verifyHook(deps, { connectionId, headers, rawQueryString, rawBody });
    if (verdict.origin === 'forged') recordMetrics({ HooksRefused: 1 }); // a stranger who knows no connection raises no alarm
    if (verdict.origin !== 'probe' && verdict.origin !== 'authentic')
      throw new Unauthorized('This webhook is not signed by a known connection.', 'Signature');
    const { organizationId, platform } = verdict.connection;
    const subject: Admitted = verdict;
    return {
      key: keyOf(verdict),
      subject,
      points: pointsOf(rawBody),
      facts: { organizationId, connectionId, platform },
    };
  };

  return selfAuthenticatedEndpoint(
    selfAuthenticatedEndpoints.receiveHook,
    { rateLimiter, authenticate },
    async ({ subject, rawBody, correlationId }) => {
      if (subject.origin === 'probe') return { facts: { isProbe: true } };
      if (rawBody.length > maxHookBytes) {
        recordMetrics({ HooksTooLarge: 1 });
        throw new PayloadTooLarge(`A webhook must be at most ${maxHookBytes} bytes.`);
      }
      const { connection, request } = subject;
      if (isOwnNotice(request)) {
        recordMetrics({ OwnNoticesDropped: 1 });
        return { facts: { isOwnNotice: true } };
      }
      const { organizationId, connectionId } = connection;
      const hook = storedHook(deps.platforms[connection.platform], connection, request, deps.now());
      const key = await hooks.put(hook, correlationId);
      await sendHook({ organizationId, connectionId, key });
      recordMetrics({ HooksReceived: 1 });
      return {};
    },
  );
};

/**
 * A webhook counts as one for each started 4 KiB of its body, so that the limit bounds what a connection stores and costs. A body that is
 * too large is refused and stores nothing, so it counts as one.
 */
function pointsOf({ length }: Buffer): number {
  return length > maxHookBytes ? 1 : Math.max(1, Math.ceil(length / bytesPerPoint));
}

/** Nobody signs a probe, so probes never take the requests of the connection itself. */
function keyOf({
  origin,
  connection,
}: {
  readonly origin: Admitted['origin'];
  readonly connection: Connection;
}): string {
  return origin === 'probe' ? `probe:${connection.connectionId}` : connection.connectionId;
}
