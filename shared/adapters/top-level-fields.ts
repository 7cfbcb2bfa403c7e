/**
 * Replaces `@aws-lambda-powertools/jmespath` in every bundle. The idempotency library reads key and body from an object of
 * ours by field names. The real module is larger than the rest of the idempotency library.
 */
export const search = (field: string, value: Readonly<Record<string, unknown>>): unknown => value[field];

/** Base class for custom JMESPath functions. This service has none. */
export class PowertoolsFunctions {}
