/** What the authorizer passes to the endpoint in place of an organization, if it refused the token: the reason. */
export const tokenRefusal = 'tokenRefusal';
/** What the authorizer passes to the endpoint with each token that it accepted: when it expires, in epoch seconds. */
export const tokenExpiry = 'tokenExpiry';
/** The reason for which an expired token is refused, by the authorizer or later by the endpoint. */
export const expired = 'expired';
