import { DescribeEndpointsCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

declare global {
  /** Opens the connections of a function. The module that Lambda loads calls it (infra/bundling.ts). */
  var openConnections: (() => Promise<void>) | undefined;
}

/** Opening takes some milliseconds. A function that cannot reach DynamoDB must not lose the time of its first call. */
const patienceMs = 500;

/**
 * Lets a function open its connections to DynamoDB while it loads, when Lambda gives it whole processors. In a call it has only the part of
 * its memory. The request needs no table and costs nothing. If it fails, the first call opens the connection, and reports what is wrong.
 */
export function openWhileLoading(client: DynamoDBClient, connections: number): void {
  globalThis.openConnections = async () => {
    const abortSignal = AbortSignal.timeout(patienceMs);
    const open = () => client.send(new DescribeEndpointsCommand({}), { abortSignal });
    await Promise.allSettled(Array.from({ length: connections }, open)); // at once, so that each opens a connection
  };
}
