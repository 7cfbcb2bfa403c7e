import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { noticesOf } from '../../support/webhooks/stored-notices.ts';
import type { World } from '../support/world.ts';

/** What a client says about a webhook. */
type Config = {
  readonly url?: string;
  readonly types?: readonly NoticeType[] | null;
  readonly state?: 'enabled' | 'disabled';
};

/** A change of a webhook, and the notices that were stored when it had surely happened. */
type Change = { readonly config: Config; before: ReadonlySet<string> | undefined };

/** A webhook as its clients know it: all changes that have happened, or may have happened. */
export class KnownWebhook {
  readonly organizationId: OrganizationId;
  readonly webhookId: string;
  private readonly changes: Change[];

  /** `before` are the notices that were stored when it surely was there. */
  constructor(organizationId: string, webhookId: string, config: Required<Config>, before: ReadonlySet<string>) {
    this.organizationId = OrganizationId.parse(organizationId);
    this.webhookId = webhookId;
    this.changes = [{ config, before }];
  }

  /** Adds a change that is about to be sent. Call what it returns when it has surely happened. */
  changing(config: Config): (before: ReadonlySet<string>) => void {
    const change: Change = { config, before: undefined };
    const number = this.changes.push(change);
    return (before) => {
      // A change that was sent meanwhile may have happened before or after this one.
      if (this.changes.length === number) change.before = before;
    };
  }

  /** True if the webhook must have got a notice: it was enabled and wanted its type, whenever its delivery was planned. */
  mustGet({ id, type }: { readonly id: string; readonly type: NoticeType }): boolean {
    if (this.changes[0]?.before?.has(id)) return false; // it may have been planned before
    const isEnabled = this.possible('state', id).every((state) => state === 'enabled');
    return isEnabled && this.possible('types', id).every((types) => types === null || types?.includes(type));
  }

  /** Every address that it may have had. */
  get urls(): ReadonlySet<string> {
    return new Set(this.changes.flatMap(({ config: { url } }) => url ?? []));
  }

  /** The values that an attribute may have had since a notice was stored. */
  private possible<Name extends keyof Config>(name: Name, noticeId: string): Config[Name][] {
    const all = this.changes.filter(({ config }) => name in config);
    const first = all.findLastIndex(({ before }) => before !== undefined && !before.has(noticeId));
    return all.slice(first).map(({ config }) => config[name]);
  }
}

/** The ids of the notices of an organization. */
export async function noticeIds({ resources }: World, organizationId: string): Promise<ReadonlySet<string>> {
  const notices = await noticesOf(resources.tables.notices, organizationId);
  return new Set(notices.map(({ id }) => id));
}
