/** Every environment variable that the command line looks at, and what it is. */
export const variables: readonly (readonly [name: string, text: string])[] = [
  ['ROOMSCRIBE_PROFILE', 'the profile to use'],
  ['ROOMSCRIBE_API_URL', 'the API, where no profile is to be used'],
  ['ROOMSCRIBE_TOKEN', 'with it, the token'],
  ['ROOMSCRIBE_TOKEN_URL', 'or else the issuer,'],
  ['ROOMSCRIBE_CLIENT_ID', 'the client id'],
  ['ROOMSCRIBE_CLIENT_SECRET', 'and the client secret'],
  ['ROOMSCRIBE_SCOPE', 'and a scope, if the issuer wants one named'],
  ['ROOMSCRIBE_MAX_RETRIES', 'how often a call is sent again; 4'],
  ['ROOMSCRIBE_CONFIG_DIR', 'the folder of the profiles'],
  ['ROOMSCRIBE_CACHE_DIR', 'the folder of the tokens'],
  ['ROOMSCRIBE_DEBUG', '1 shows where an error came from'],
  ['NO_COLOR, FORCE_COLOR', 'no colors, or colors everywhere'],
];
