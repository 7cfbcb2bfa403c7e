import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces `@aws-sdk/credential-provider-node` in every bundle. A Lambda function has its credentials in its environment,
 * and the providers for files, SSO, containers and instances would be half of the load time of the SDK.
 */
export function defaultProvider(...settings: Parameters<typeof fromEnv>): ReturnType<typeof fromEnv> {
  const read = fromEnv(...settings);
  let known: ReturnType<typeof read> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}
