import type { ConnectionSettings } from '../contracts/platforms/connection.ts';

/** A new connection, as the configuration of its platform names it. */
export type NewConnection = {
  /** The address that the platform posts to. */
  readonly url: string;
  readonly settings: ConnectionSettings;
  /** Where its recordings may lie without a setting: the service's own bucket, and the folder of the organization in it. */
  readonly recordings: { readonly bucket: string; readonly folder: string };
  /** The secret, if this service made it. A secret of the platform is never printed, so it is undefined. */
  readonly secret?: string | undefined;
  /** The id of the secret, where the platform names it: an API key of LiveKit. */
  readonly keyId?: string | undefined;
};

/** Returns the exact lines for a platform's configuration, with a word on where they go. An operator copies them. */
export type Setup = (connection: NewConnection) => string;
