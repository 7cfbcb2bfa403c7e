import type { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { DownloadableFile } from '#shared/domain/links/access-link.ts';
import type { LinkToTranscript } from '#shared/domain/links/link-to-transcript.ts';

/** The links of this API, by their tokens. No token is stored, only its hash. */
export type LinkStore = {
  /** Stores a link under a new token. A repeated call changes nothing. */
  add(token: string, link: LinkToTranscript): Promise<void>;
  /** Reads the link of a token with one read, also if it has expired. */
  find(token: string): Promise<LinkToTranscript | undefined>;
};

/** A file to sign a link to, and what the link may do. Without a name and a type, the answer has those that are stored with the file. */
export type SigningRequest = Pick<DownloadableFile, 'key'> &
  Partial<DownloadableFile> & {
    readonly method: 'GET' | 'HEAD';
    readonly validForSeconds: number;
    /** Whether a browser saves the file, as by default, or shows it. */
    readonly disposition?: 'attachment' | 'inline';
  };

/** Signs links of S3. */
export type LinkSigner = {
  /** A link, and the time from which S3 rejects it. Undefined if no session that signs lasts as long as the link. */
  sign(request: SigningRequest): Promise<AccessLink | undefined>;
};
