/** The key of a transcription in the cache of answers. */
export function transcriptionKey(id: string): readonly string[] {
  return ['transcription', id];
}
