/** The origins that the page may ask besides its own: for logins and transcripts, and for the audio of recordings. */
export type OtherOrigins = { readonly connect?: readonly string[]; readonly media?: readonly string[] };

/** The content security policy of the console, wherever it is served: no inline script or style, and no request to anyone who is not named. */
export function contentSecurityPolicy({ connect = [], media = [] }: OtherOrigins): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    `media-src ${media.length === 0 ? "'none'" : media.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
