declare module 'negotiator/lib/encoding.js' {
  /** The available encodings that an Accept-Encoding header accepts, the preferred one first (RFC 9110, 12.5.3). */
  export default function preferredEncodings(accept: string | undefined, available: readonly string[]): string[];
}

declare module 'negotiator/lib/mediaType.js' {
  /** The available media types that an Accept header accepts, the preferred one first (RFC 9110, 12.5.1). */
  export default function preferredMediaTypes(accept: string | undefined, available: readonly string[]): string[];
}
