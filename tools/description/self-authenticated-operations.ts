import type { SelfAuthenticatedEndpoint } from '../../shared/contracts/endpoint.ts';
import { selfAuthenticatedEndpoints } from '../../shared/contracts/self-authenticated-endpoints.ts';
import type { AnySelfAuthenticatedTexts, SelfAuthenticatedTexts } from './texts.ts';

const texts: SelfAuthenticatedTexts<typeof selfAuthenticatedEndpoints> = {};

/** A self-authenticated endpoint with its texts. */
export type SelfAuthenticatedOperation = {
  readonly endpoint: SelfAuthenticatedEndpoint;
  readonly texts: AnySelfAuthenticatedTexts;
};

/** Every self-authenticated endpoint with its texts. An endpoint without texts does not compile. */
export const selfAuthenticatedOperations: readonly SelfAuthenticatedOperation[] =
  Object.entries<SelfAuthenticatedEndpoint>(selfAuthenticatedEndpoints).map(([name, endpoint]) => ({
    endpoint,
    texts: texts[name as keyof typeof selfAuthenticatedEndpoints],
  }));
