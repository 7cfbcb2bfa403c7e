/**
 * Replaces `@aws-sdk/endpoint-cache` in every bundle. The DynamoDB client creates a cache at construction, and fills it
 * only if endpoint discovery is enabled. The real module includes a library of caches.
 */
export class EndpointCache {
  /** Returns nothing, so the client uses its own endpoint. */
  getEndpoint(): undefined {
    return undefined;
  }

  /** The first call of endpoint discovery. */
  get(): never {
    throw new Error('The bundle contains no endpoint discovery. See infra/bundling.ts.');
  }
}
