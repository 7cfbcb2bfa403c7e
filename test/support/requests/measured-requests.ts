import { isDeepStrictEqual } from 'node:util';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import type { HttpEvent } from '#shared/http/request.ts';
import { createFunctions } from '#tools/local/lambda/functions.ts';
import { makeDataFolder } from '../data-folder.ts';
import { httpEvent } from '../http-events.ts';
import { type Consumed, consumedBy } from './consumption.ts';
import { startFilledStack } from './filled-stack.ts';
import { type CallingOperation, requestsOf, variantsOf } from './requests.ts';

/**
 * Measures what a request of each operation of the contract consumes, and what requests consume that differ. The functions run as in the
 * local runner. A second request is measured, and the first one of a function under a name of its own if it costs otherwise.
 */
export async function measuredRequests(assembly: string): Promise<Readonly<Record<string, Consumed>>> {
  await using cleanup = new AsyncDisposableStack();
  const options = { dataDir: await makeDataFolder('roomscribe-requests-'), assembly, roundTripMs: 0, isMetered: true };
  const { stack, urls, data, issuer, standIn } = await startFilledStack(options, cleanup);
  const functions = createFunctions(stack, urls, data, { [new URL(issuer.issuer).hostname]: issuer.url });
  cleanup.defer(functions.stop);
  const measure = async (operation: string, event: HttpEvent, expectedStatus: number): Promise<Consumed> => {
    const outcome = await functions.invoke(functions.find(operation), event);
    const { statusCode } = outcome.ok ? JSON.parse(outcome.payload) : { statusCode: 'a fault' };
    if (statusCode !== expectedStatus)
      throw new Error(`${operation} answers with ${statusCode}, not ${expectedStatus}.`);
    return consumedBy(standIn.takeCalls());
  };

  const measured: Record<string, Consumed> = {};
  const requests = requestsOf(`${standIn.url}/receiver`);
  for (const { operationId, successStatus } of [
    ...endpointList,
    ...selfAuthenticatedEndpointList,
    ...publicEndpointList,
  ]) {
    const request = operationId in requests ? requests[operationId as CallingOperation] : () => httpEvent();
    const first = await measure(operationId, request(0), successStatus);
    measured[operationId] = await measure(operationId, request(1), successStatus);
    if (!isDeepStrictEqual(first, measured[operationId])) measured[`${operationId}, first`] = first;
  }
  for (const [name, { before = [], event, status }] of Object.entries(variantsOf(`${standIn.url}/receiver`))) {
    for (const [operation, earlier] of before) await functions.invoke(functions.find(operation), earlier);
    standIn.takeCalls();
    measured[name] = await measure(name.replace(/,.*/, ''), event, status);
  }
  return measured;
}
