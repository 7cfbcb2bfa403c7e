/** A client of a deployment, and the name of its profile. */
type Login = {
  readonly profile: string;
  readonly apiUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
};

/** The command that logs in. It has no argument for the secret, because it asks for it. */
export function loginCommand({ profile, apiUrl, tokenUrl, clientId }: Login): string {
  return `roomscribe login --profile ${profile} --api-url ${apiUrl} --token-url ${tokenUrl} --client-id ${clientId}`;
}
