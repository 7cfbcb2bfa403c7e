import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { usagePeriod } from '#shared/domain/insights/usage-period.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { UsageLister } from '#shared/storage/insights/usage-days.ts';

type Deps = { readonly admission: Admission; readonly listUsage: UsageLister; readonly now?: () => Date };

/** GET /v1/insights/usage: one page of what was used, by day and room. By default, of the current month. */
export const createHandler = ({ admission, listUsage, now = () => new Date() }: Deps) =>
  endpoint(insightEndpoints.listUsage, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listUsage(organizationId, query, usagePeriod(query, now()));
    return { body: { results: [...results], cursor } };
  });
