/** The origins besides its own that pages of the console may use. */
export type ForeignOrigins = {
  /** Where scripts may send requests: the token endpoint, and the bucket of transcripts. */
  readonly connect: readonly string[];
  /** Where audio may come from: the bucket of recordings, if the stage allows links to them. */
  readonly media: readonly string[];
};

/** The content security policy of the console's pages: no inline script or style, and no request to anyone who is not named. */
export function contentSecurityPolicy({ connect, media }: ForeignOrigins): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    ['media-src', ...(media.length === 0 ? ["'none'"] : media)].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The features of browsers that the console does not use, and no script in it may use. */
export const permissionsPolicy = [
  ...[
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
  ],
  ...['payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');
