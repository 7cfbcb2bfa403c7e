import { createHash } from 'node:crypto';
import { OrganizationId } from '../contracts/organization/organization.ts';
import { isRole, membershipRefusal, type Person, personFields } from '../contracts/organization/person.ts';
import { expired, tokenExpiry, tokenRefusal } from '../contracts/organization/token-refusal.ts';
import { NoOrganization, Unauthorized } from '../runtime/errors.ts';
import type { HttpEvent } from './request.ts';

/** Who sends a request: a machine of an organization, or a person. */
export type Caller = { readonly organizationId: OrganizationId; readonly person?: Person };

/** The claims of a token by which the service knows its caller. */
export type CallerClaims = {
  /** Names the organization. */
  readonly organizationClaim: string;
  /** Names the role of a person. If undefined, every token of an own issuer is a machine's. */
  readonly roleClaim?: string | undefined;
  /** The client that logs people in. Its tokens are never a machine's, even without a role. */
  readonly consoleClientId?: string | undefined;
};

type Claims = Readonly<Record<string, unknown>>;

/**
 * The caller of a request, from what the gateway passes on about its token. Throws `Unauthorized` if the authorizer refused the
 * token or it names no organization, and `NoOrganization` for a person without a role in exactly one organization.
 */
export function callerOf(event: HttpEvent, names: CallerClaims): Caller {
  const { jwt, lambda } = event.requestContext.authorizer ?? {};
  return jwt?.claims ? callerOfToken(jwt.claims, names) : callerOfContext(lambda ?? {}, names);
}

/** Reads the context that our own authorizer returned, perhaps minutes ago for an earlier request with the token. */
function callerOfContext(context: Claims, { organizationClaim }: CallerClaims): Caller {
  const refusal = context[tokenRefusal] ?? (hasExpired(context[tokenExpiry]) ? expired : undefined);
  if (refusal !== undefined) throw new Unauthorized(`The access token is not valid (${refusal}). Request a new one.`);
  if (context[membershipRefusal] !== undefined) throw new NoOrganization();
  const { [personFields.personId]: personId, [personFields.role]: role } = context;
  const organizationId = organizationIn(context, organizationClaim);
  if (personId === undefined && role === undefined) return { organizationId };
  if (typeof personId !== 'string' || !isRole(role)) throw new NoOrganization();
  return { organizationId, person: { personId, role } };
}

/** Reads the claims of a token of an own issuer, which the gateway has verified. */
function callerOfToken(claims: Claims, { organizationClaim, roleClaim, consoleClientId }: CallerClaims): Caller {
  const role = roleClaim === undefined ? undefined : claims[roleClaim];
  if (role === undefined && !isOfClient(claims, consoleClientId))
    return { organizationId: organizationIn(claims, organizationClaim) };
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '') throw new Unauthorized('The token of a person has no claim "sub".');
  const organizationId = OrganizationId.safeParse(claims[organizationClaim]);
  if (!isRole(role) || !organizationId.success) throw new NoOrganization();
  return { organizationId: organizationId.data, person: { personId: personIdOf(sub), role } };
}

/**
 * Whether a token has expired, by the rule of the authorizer. While a stage is updated, results of the release before have no expiry: it
 * was checked for each request.
 */
function hasExpired(expiry: unknown): boolean {
  return expiry !== undefined && !(Date.now() <= Number(expiry) * 1000);
}

function organizationIn(claims: Claims, claimName: string): OrganizationId {
  const parsed = OrganizationId.safeParse(claims[claimName]);
  if (!parsed.success) throw new Unauthorized(`The token's claim "${claimName}" does not name an organization.`);
  return parsed.data;
}

/** Issuers name the client of a token `client_id` (RFC 9068), `azp` (OpenID Connect), `appid` or `cid`. */
function isOfClient(claims: Claims, clientId: string | undefined): boolean {
  return clientId !== undefined && ['client_id', 'azp', 'appid', 'cid'].some((name) => claims[name] === clientId);
}

/** Some issuers use the e-mail address as `sub`. A hash takes the place of what is no plain id, because logs and counters have the id. */
function personIdOf(sub: string): string {
  if (/^[\w.|-]{1,64}$/.test(sub)) return sub;
  return `sha256-${createHash('sha256').update(sub).digest('base64url')}`;
}
