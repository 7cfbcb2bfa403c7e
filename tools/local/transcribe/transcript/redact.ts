import { PiiEntityType } from '@aws-sdk/client-transcribe';
import type { StartRequest } from '../start-request.ts';
import { findPii } from './find-pii.ts';
import { mapUtterances, type Speech, type SpokenWord } from './spoken-words.ts';

/**
 * Replaces the words of each piece of personal data by one word, as Amazon does.
 * https://docs.aws.amazon.com/transcribe/latest/dg/pii-redaction-output.html
 */
export function redact(speech: Speech, { PiiEntityTypes: types }: NonNullable<StartRequest['ContentRedaction']>) {
  const asked = types === undefined || types.length === 0 ? [PiiEntityType.ALL] : types;
  return mapUtterances(speech, (utterance) => redactUtterance(utterance, asked));
}

function redactUtterance(utterance: SpokenWord[], types: readonly PiiEntityType[]): SpokenWord[] {
  const found = findPii(
    utterance.map((word) => word.text),
    types,
  );
  return utterance.flatMap((word, index) => {
    const pii = found.find(({ from, to }) => from <= index && index < to);
    if (pii === undefined) return [word];
    if (pii.from !== index) return [];
    const endSeconds = utterance[pii.to - 1]?.endSeconds ?? word.endSeconds;
    return [{ ...word, endSeconds, text: '[PII]', shown: '[PII]', redacted: pii.type }];
  });
}
