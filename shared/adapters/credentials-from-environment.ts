import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for `@aws-sdk/credential-provider-node` in every bundle: a Lambda function has its credentials in its
 * environment, and the providers for files, SSO, containers and instances would be half of the SDK's load time.
 */
export const defaultProvider = fromEnv;
