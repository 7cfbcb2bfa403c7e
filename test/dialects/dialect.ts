import type { PlatformName } from '#shared/contracts/platforms/connection.ts';
import type { Meeting } from './meeting.ts';

/** A webhook as its platform sends it. `tells` names what is lost with it. */
export type Webhook = {
  readonly tells: string;
  /** What the platform adds to the address of the connection. */
  readonly below?: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Where a platform sends its webhooks, and what it signs them with. */
export type Target = { readonly url: string; readonly secret: { readonly id?: string; readonly value: string } };

/** How a platform tells of a meeting. */
export type Dialect = {
  readonly platform: PlatformName;
  readonly settings?: Readonly<Record<string, string>>;
  readonly secret: Target['secret'];
  /** What the session is known by, if not by what the platform's view says. */
  readonly sessionId?: (meeting: Meeting) => string;
  /** True if webhooks of people wait for one that names the session: its start or its end. */
  readonly waits?: boolean;
  /** Every webhook of a meeting, signed, in the order of time. Lost ones are among them. */
  readonly webhooks: (meeting: Meeting, target: Target) => Promise<readonly Webhook[]> | readonly Webhook[];
};
