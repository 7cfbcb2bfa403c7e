import { createHash } from 'node:crypto';
import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import { noticeVersion } from '#shared/contracts/notices/notice-version.ts';
import type { Notice, NoticeData } from '#shared/contracts/notices.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';

/** A notice of an organization. */
export type OrganizationNotice = Notice & { readonly organizationId: OrganizationId };

/** A stored notice has a shape that the service cannot read. */
export class UnreadableNotice extends Error {
  override readonly name = 'UnreadableNotice';
}

/** What a notice is about. Its revisions are counted for each subject. */
type Subject = { readonly kind: 'transcription' | 'session' | 'recording' | 'event' | 'webhook'; readonly id: string };

/**
 * The notice of a change. Its id follows from the type, the subject and the revision, so whoever tells the same change again makes the same
 * notice.
 */
export function noticeOf<Type extends NoticeType>(
  organizationId: OrganizationId,
  type: Type,
  subject: Subject,
  data: NoticeData<Type>,
  now: Date,
): OrganizationNotice {
  const { revision } = data as { readonly revision: number };
  const name = JSON.stringify([organizationId, type, subject.kind, subject.id, revision]);
  const id = `ntc_${createHash('sha256').update(name).digest('base64url').slice(0, 27)}`;
  return {
    organizationId,
    id,
    apiVersion: noticeVersion,
    createdAt: now.toISOString(),
    type,
    data,
  } as OrganizationNotice;
}
