import type { Roomscribe } from '../../../roomscribe.ts';

/** A link to the file of a recording, and when it ends. */
export type RecordingLink = { readonly url: string; readonly expiresAt: string };

type WithRecordingLinks = {
  readonly recordingLink?: (id: string, options: { readonly signal: AbortSignal }) => Promise<RecordingLink>;
};

/** Asks for a link to the recording of a transcription. Null if the stage allows none, or the recording is gone. */
export async function recordingLinkOf(
  client: Roomscribe,
  id: string,
  signal: AbortSignal,
): Promise<RecordingLink | null> {
  const transcriptions: Roomscribe['transcriptions'] & WithRecordingLinks = client.transcriptions;
  if (!transcriptions.recordingLink) return null;
  return transcriptions.recordingLink(id, { signal }).catch((error: { readonly status?: number }) => {
    if (error.status === 403 || error.status === 404) return null;
    throw error;
  });
}
