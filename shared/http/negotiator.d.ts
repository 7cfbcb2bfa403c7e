declare module 'negotiator/lib/encoding.js' {
  /** Those of the available encodings that an Accept-Encoding header takes, the preferred first (RFC 9110, 12.5.3). */
  export default function preferredEncodings(accept: string | undefined, available: readonly string[]): string[];
}
