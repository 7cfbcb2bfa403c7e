import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Speaker, TranscriptionDetail } from '../../../../client/types.ts';
import { useApi } from '../../../app/api.tsx';
import { transcriptionKey } from '../transcription-key.ts';
import { withSpeaker } from './with-speaker.ts';

/** Who a speaker is: a participant or a typed name. `name` is what to show until the service has answered. */
export type Correction = { readonly name: string; readonly participantId?: string };

/** Corrects a speaker, and takes that back. The change is shown at once, and replaced by what the service answers. */
export function useCorrection(id: string, speaker: string) {
  const { client } = useApi();
  const queries = useQueryClient();
  const queryKey = transcriptionKey(id);
  const show = (changes: Partial<Speaker>) =>
    queries.setQueryData<TranscriptionDetail>(queryKey, (before) => before && withSpeaker(before, speaker, changes));
  const readAgain = () => queries.invalidateQueries({ queryKey }); // a name that two people have gets a number
  const correct = useMutation({
    mutationFn: ({ name, participantId }: Correction) =>
      client.transcriptions.correctSpeaker(
        id,
        speaker,
        participantId === undefined ? { displayName: name } : { participantId },
      ),
    onMutate: async ({ name, participantId }) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData<TranscriptionDetail>(queryKey);
      show({ displayName: name, participantId: participantId ?? null, source: 'corrected', confidence: 1 });
      return before;
    },
    onError: (_error, _correction, before) => queries.setQueryData(queryKey, before),
    onSuccess: (answered) => show(answered),
    onSettled: readAgain,
  });
  const undo = useMutation({
    mutationFn: () => client.transcriptions.undoSpeakerCorrection(id, speaker),
    onSettled: readAgain,
  });
  return { correct, undo };
}
