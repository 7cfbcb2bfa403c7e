/** Region of everything on this machine. */
export const region = 'us-east-1';

/** Account of everything on this machine: the one that fauxqs has in its ARNs. */
export const accountId = '000000000000';

/** Credentials that every stand-in accepts. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'local' } as const;

/** How this runner's own SDK clients reach a stand-in. */
export function clientSettings(endpoint: string) {
  return { region, credentials, endpoint };
}
