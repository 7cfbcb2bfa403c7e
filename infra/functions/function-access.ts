import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OperationId } from '#shared/contracts/endpoints.ts';
import type { SelfAuthenticatedOperationId } from '#shared/contracts/self-authenticated-endpoints.ts';
import type { Access } from '#shared/runtime/access.ts';
import type { WorkerName } from './workers.ts';

type FunctionName = OperationId | SelfAuthenticatedOperationId | WorkerName | 'authorize-request';

const functionsFolder = path.resolve(import.meta.dirname, '../../functions');

const found = await Promise.all(
  globSync('**/access.ts', { cwd: functionsFolder }).map(async (file): Promise<[name: string, access: Access]> => {
    const module: { readonly access: Access } = await import(pathToFileURL(path.join(functionsFolder, file)).href);
    return [path.basename(path.dirname(file)), module.access];
  }),
);

/**
 * The AWS permissions of every function, by the name of its folder, in which its `access.ts` stands. Public endpoints have
 * none, because their functions have no AWS permissions.
 */
export const functionAccess = Object.fromEntries(found.sort()) as Readonly<Record<FunctionName, Access>>;
