import { ApiError } from '../../../client/errors.ts';
import type { Roomscribe } from '../../../client/roomscribe.ts';
import type { RecordingLink } from '../../../client/types.ts';

/** Asks for a link to the recording of a transcription. Null if the stage allows none, or there is no mixed file. */
export async function recordingLinkOf(
  client: Roomscribe,
  id: string,
  signal: AbortSignal,
): Promise<RecordingLink | null> {
  try {
    return await client.transcriptions.recordingLink(id, { signal });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
