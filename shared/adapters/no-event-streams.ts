/**
 * Replaces `@smithy/core/event-streams` in every bundle. No operation that this service calls returns an event stream, and
 * the real module is a twentieth of a bundle. The S3 client passes its configuration through this function.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/** The S3 client reads this at construction and never uses it here. */
export const eventStreamSerdeProvider = () => undefined;

/** The class that the SDK would load for the first event stream. */
export class EventStreamSerde {
  constructor() {
    throw new Error('The bundle contains no event streams. See infra/bundling.ts.');
  }
}
