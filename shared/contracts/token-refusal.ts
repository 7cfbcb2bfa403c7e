/** What the authorizer passes to the endpoint in place of an organization, if it refused the token: the reason. */
export const tokenRefusal = 'tokenRefusal';
