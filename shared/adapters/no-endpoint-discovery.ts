/**
 * Stands in for `@aws-sdk/endpoint-cache` in every bundle: DynamoDB's client makes one when it is built, and fills it
 * only where endpoint discovery is switched on. The real one brings a library of caches with it.
 */
export class EndpointCache {
  /** Nothing was discovered: the client goes on with its own endpoint. */
  getEndpoint(): undefined {
    return undefined;
  }

  /** What endpoint discovery begins with. */
  get(): never {
    throw new Error('Endpoint discovery is left out of the bundle: see infra/bundling.ts.');
  }
}
