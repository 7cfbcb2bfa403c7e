/** An organization's id: 1-64 of `A-Z a-z 0-9 _ -`. Apart from its schema, for the authorizer, whose bundle has no schemas. */
export const organizationPattern = /^[A-Za-z0-9_-]{1,64}$/;
