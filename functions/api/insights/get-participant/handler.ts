import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { participantDetails } from '#shared/domain/insights/network-series.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { ParticipantFacts } from '#shared/storage/insights/participant-facts.ts';

type Deps = {
  readonly admission: Admission;
  readonly facts: ParticipantFacts;
  /** The `sampleRateMs` of a connection without samples. */
  readonly defaultSampleRateMs: number;
};

/** GET /v1/insights/participant: each connection of one participant, with its events and network samples. */
export const createHandler = ({ admission, facts, defaultSampleRateMs }: Deps) =>
  endpoint(insightEndpoints.getParticipant, admission, async ({ organizationId, query }) => {
    const { from, to, ...participant } = query;
    const [connections, blocks] = await Promise.all([
      facts.connectionsOf({ organizationId, ...participant }),
      facts.samplesOf({ organizationId, ...participant }, { from, to }),
    ]);
    return { body: participantDetails(connections, blocks, { from, to }, defaultSampleRateMs) };
  });
