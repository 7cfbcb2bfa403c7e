import { create as contentDisposition } from 'content-disposition';
import type { AccessLinks } from '#shared/adapters/s3/access-links.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { downloadableFile } from '#shared/domain/access-link.ts';
import { existing } from '#shared/domain/transcription.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { TranscriptionStore } from '#shared/use-cases/ports.ts';

type Deps = {
  readonly admission: Admission;
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly links: AccessLinks;
  readonly transcriptsBucket: string;
  /** Days for which transcripts are kept. Undefined: without limit. */
  readonly retentionDays?: number | undefined;
  readonly now?: () => Date;
};

/** GET /v1/transcriptions/{transcriptionId}/access-link: a link to one file, and the time at which it expires. */
export const createHandler = ({
  admission,
  transcriptions,
  links,
  transcriptsBucket,
  retentionDays,
  now = () => new Date(),
}: Deps) =>
  endpoint(
    transcriptionEndpoints.createAccessLink,
    admission,
    async ({ organizationId, params: { transcriptionId }, query }) => {
      const record = existing(await transcriptions.find(organizationId, transcriptionId));
      const { key, filename, contentType } = downloadableFile(record, query.format, transcriptsBucket, {
        retentionDays,
        now: now(),
      });
      const link = await links.create({
        key,
        contentType,
        contentDisposition: contentDisposition(filename),
        validForSeconds: query.validForSeconds,
      });
      return { body: link, facts: { transcriptionId } };
    },
  );
