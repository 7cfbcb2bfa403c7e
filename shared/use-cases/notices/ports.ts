import type { NoticeMessage } from '#shared/contracts/messages.ts';
import type { Notice } from '#shared/contracts/notices.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';

/** Sends messages of an organization to a queue. */
export type Send<Message> = (
  organizationId: OrganizationId,
  messages: readonly Message[],
  options?: { readonly delaySeconds?: number },
) => Promise<void>;

export type SendNotices = Send<NoticeMessage>;

/** Names a notice by its sort key. */
export type NoticeKey = { readonly organizationId: OrganizationId; readonly noticeKey: string };

/** A part of the notices of an organization, the oldest first. `from` is included, `to` is not. */
export type NoticePeriod = {
  readonly organizationId: OrganizationId;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The key of the notice after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
};

/** The notices. */
export type NoticeStore = {
  /** Notices by their keys, without those that are gone. Reads with strong consistency. */
  findAll(keys: readonly NoticeKey[]): Promise<ReadonlyMap<string, OrganizationNotice>>;
  /** One page of a period, and the key after which the next one begins: undefined on the last page. */
  page(
    period: NoticePeriod,
  ): Promise<{ readonly notices: readonly OrganizationNotice[]; readonly after?: string | undefined }>;
  /** A notice that was relayed is not due any more. Does nothing if it is gone. */
  markRelayed(key: NoticeKey): Promise<void>;
  /** The notices that were not relayed in time, and when they were made. */
  listDue(now: Date): AsyncIterable<NoticeKey & { readonly createdAt: string }>;
};

/** Tells whether an organization has a notice. */
export type NoticeFinder = {
  exists(organizationId: OrganizationId, notice: Pick<Notice, 'id' | 'createdAt'>): Promise<boolean>;
};
