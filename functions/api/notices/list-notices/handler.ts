import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { NoticeLister } from '#shared/storage/notices/notice-list.ts';

type Deps = { readonly admission: Admission; readonly listNotices: NoticeLister };

/** GET /v1/notices: one page of the caller's notices, the oldest first. */
export const createHandler = ({ admission, listNotices }: Deps) =>
  endpoint(webhookEndpoints.listNotices, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listNotices(organizationId, query);
    return { body: { results: [...results], cursor } };
  });
