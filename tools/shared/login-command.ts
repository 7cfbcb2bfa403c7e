/** A client of a deployment, and the name of the profile that it is to be kept under. */
type Login = {
  readonly profile: string;
  readonly apiUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
};

/** The command by which the command line logs in; it asks for the secret, which belongs in no argument. */
export function loginCommand({ profile, apiUrl, tokenUrl, clientId }: Login): string {
  return `roomscribe login --profile ${profile} --api-url ${apiUrl} --token-url ${tokenUrl} --client-id ${clientId}`;
}
