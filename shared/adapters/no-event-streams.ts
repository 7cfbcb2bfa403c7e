/**
 * Stands in for `@smithy/core/event-streams` in every bundle: no operation that this service calls answers with an event
 * stream, and the real module is a twentieth of a bundle. S3's client passes its configuration through the first.
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

/** Asked for by S3's client when it is built, and never used by it here. */
export const eventStreamSerdeProvider = () => undefined;

/** What the SDK would load at the first event stream. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are left out of the bundle: see infra/bundling.ts.');
  }
}
