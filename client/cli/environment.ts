/** Every environment variable that the command line reads, with its text for the help. */
export const variables: readonly (readonly [name: string, text: string])[] = [
  ['ROOMSCRIBE_PROFILE', 'profile to use'],
  ['ROOMSCRIBE_API_URL', 'URL of the API, instead of a profile'],
  ['ROOMSCRIBE_TOKEN', 'token for that API, instead of a client'],
  ['ROOMSCRIBE_TOKEN_URL', 'URL for tokens, for a client'],
  ['ROOMSCRIBE_CLIENT_ID', 'client id'],
  ['ROOMSCRIBE_CLIENT_SECRET', 'client secret'],
  ['ROOMSCRIBE_SCOPE', 'scope, if the issuer requires one'],
  ['ROOMSCRIBE_WEBHOOK_SECRET', 'secret with which listen signs'],
  ['ROOMSCRIBE_MAX_RETRIES', 'maximum number of retries (default 4)'],
  ['ROOMSCRIBE_CONFIG_DIR', 'folder of the profiles'],
  ['ROOMSCRIBE_CACHE_DIR', 'folder of the tokens'],
  ['ROOMSCRIBE_DEBUG', '1 prints the stack trace of an error'],
  ['NO_COLOR, FORCE_COLOR', 'no colors, or always colors'],
];
