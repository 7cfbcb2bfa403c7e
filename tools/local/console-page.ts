import { decodeJwt } from 'jose';
import {
  type ConsoleFiles,
  configAnswer,
  configPath,
  consolePath,
  plainAnswer,
  readConsole,
} from '#console/serving/files.ts';
import { errorMessage } from '../shared/error-details.ts';
import { demoOrganization } from '../shared/token.ts';
import type { OwnPage } from './http-api/http-api.ts';

/** What the console of the runner needs. */
export type ConsolePageOptions = {
  /** Builds the console if need be, and returns its folder. Called at the first request. */
  readonly folder: () => Promise<string>;
  /** Undefined if strangers can reach the API: then there is no console. */
  readonly requestToken: (() => Promise<string>) | undefined;
  /** The address of the local S3, to which links of transcripts and recordings lead. */
  readonly s3Url: string;
};

/** Serves the console below `/console/`, logged in. Undefined for other requests. The stack has no such route. */
export function createConsolePage({ folder, requestToken, s3Url }: ConsolePageOptions): OwnPage {
  let opened: Promise<ConsoleFiles> | undefined;
  const open = (): Promise<ConsoleFiles> => {
    opened ??= folder()
      .then((built) => readConsole(built, { connect: [s3Url], media: [s3Url] }))
      .catch((error: unknown) => {
        opened = undefined; // the next request tries again
        throw error;
      });
    return opened;
  };
  return async (method, requested) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (!`${requested}/`.startsWith(consolePath)) return undefined;
    if (!requestToken) return plainAnswer(403, notInPublic);
    if (requested === configPath) return configAnswer(configOf(await requestToken()));
    try {
      return (await open())(requested);
    } catch (error) {
      return plainAnswer(500, `The console cannot be built: ${errorMessage(error)}`);
    }
  };
}

const notInPublic =
  'This API has a public address, so this page would let strangers in. Log in with roomscribe login and the values that ' +
  'npm start has printed, and run roomscribe console.';

function configOf(token: string) {
  const { exp = 0 } = decodeJwt(token);
  const expiresAt = new Date(exp * 1000).toISOString();
  return { signIn: 'token', token, expiresAt, deployment: `${demoOrganization} on this machine` };
}
