import { type LanguageCode, RedactionOutput } from '@aws-sdk/client-transcribe';
import { type JobResult, outputKeyOf, redactedKeyOf } from '../job.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { StartRequest } from '../start-request.ts';
import { filteredWords } from '../vocabularies/named-vocabularies.ts';
import type { Vocabularies } from '../vocabularies/vocabulary.ts';
import { filterWords } from './filter-words.ts';
import { redact } from './redact.ts';
import type { Speech } from './spoken-words.ts';
import { buildTranscriptDocument, type DocumentFacts } from './transcript-document.ts';

/** What writing uses: where the transcripts go, the filters, and the account that the documents name. */
type WriteDeps = { media: MediaStore; vocabularies: Vocabularies; account: string };

type Uris = Pick<JobResult, 'transcriptUri' | 'redactedTranscriptUri'>;

/**
 * Writes the transcript that a request asks for: the plain one, or the redacted one, or both. Without need, nothing unredacted is written.
 */
export async function writeTranscripts(
  speech: Speech,
  request: StartRequest,
  languageCode: LanguageCode,
  { media, vocabularies, account }: WriteDeps,
  signal: AbortSignal,
): Promise<Uris> {
  const words = filteredWords(request, languageCode, vocabularies);
  const method = request.Settings?.VocabularyFilterMethod ?? 'mask';
  const write = (key: string, spoken: Speech, isRedacted?: boolean): Promise<string> => {
    const facts = { ...factsOf(request, languageCode, account), ...(isRedacted === undefined ? {} : { isRedacted }) };
    const document = buildTranscriptDocument(filterWords(spoken, words, method), facts);
    return media.upload(request.OutputBucketName ?? '', key, JSON.stringify(document), signal);
  };
  const { ContentRedaction: redaction } = request;
  if (redaction === undefined) return { transcriptUri: await write(outputKeyOf(request), speech) };
  const redactedTranscriptUri = await write(redactedKeyOf(request), redact(speech, redaction), true);
  if (redaction.RedactionOutput === RedactionOutput.REDACTED) return { redactedTranscriptUri };
  return { redactedTranscriptUri, transcriptUri: await write(outputKeyOf(request), speech, false) };
}

const factsOf = (request: StartRequest, languageCode: LanguageCode, accountId: string): DocumentFacts => ({
  jobName: request.TranscriptionJobName,
  accountId,
  showSpeakerLabels: request.Settings?.ShowSpeakerLabels === true,
  showChannelLabels: request.Settings?.ChannelIdentification === true,
  ...(request.IdentifyLanguage === true ? { identifiedLanguage: languageCode } : {}),
  ...(request.IdentifyMultipleLanguages === true ? { identifiedLanguages: languageCode } : {}),
});
