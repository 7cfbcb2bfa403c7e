import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';

/** Counts the replays of periods that an organization starts in a day. `giveBack` takes one off again that did not start. */
export type ReplayCeiling = {
  take(
    organizationId: OrganizationId,
  ): Promise<{ readonly allowance: Allowance; readonly giveBack: () => Promise<void> }>;
};
