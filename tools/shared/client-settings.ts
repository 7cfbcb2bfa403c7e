/** The region of the local runner. */
export const region = 'us-east-1';

/** The account of the local runner: the one in the ARNs of fauxqs. */
export const accountId = '000000000000';

/** Credentials that every local service accepts. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'local' } as const;

/** The settings of an SDK client for a local service. */
export function clientSettings(endpoint: string) {
  return { region, credentials, endpoint };
}
