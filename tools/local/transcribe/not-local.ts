import { badRequest } from './bad-request.ts';

// What the model of StartTranscriptionJob has and this server cannot do. Refused, not ignored, because it changes the output.
const NOT_LOCAL = [
  'ModelSettings',
  'JobExecutionSettings',
  'OutputEncryptionKMSKeyId',
  'KMSEncryptionContext',
  'Subtitles',
  'ToxicityDetection',
  'Settings.ShowAlternatives',
  'Settings.MaxAlternatives',
  'Media.RedactedMediaFileUri',
];

/** Throws BadRequestException for a parameter of Amazon Transcribe that this server does not do. */
export function checkIsLocal(body: unknown): void {
  const languages = Object.keys(membersOf(membersOf(body).LanguageIdSettings));
  const unsupported = [...NOT_LOCAL, ...languages.map((code) => `LanguageIdSettings.${code}.LanguageModelName`)];
  const given = unsupported.find((path) => isOn(valueAt(body, path)));
  if (given !== undefined) {
    throw badRequest(`${given.split('.').at(-1)} isn't supported by the local Transcribe server.`);
  }
}

const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, step) => membersOf(inner)[step], body);

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
