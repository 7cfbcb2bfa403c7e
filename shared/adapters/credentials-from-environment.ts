import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces `@aws-sdk/credential-provider-node` in every bundle. A Lambda function has its credentials in its environment,
 * and the providers for files, SSO, containers and instances would be half of the load time of the SDK.
 */
export const defaultProvider = fromEnv;
