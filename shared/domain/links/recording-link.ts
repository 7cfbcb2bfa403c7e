import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { RecordingFileNotFound } from '#shared/runtime/errors.ts';
import { recordingsFolder } from '../transcriptions/connection-files.ts';
import type { RecordingTrack } from '../transcriptions/recording.ts';
import type { TranscriptionRecord } from '../transcriptions/transcription.ts';

type Track = Pick<RecordingTrack, 'participantId' | 'source' | 'startDate' | 'location'>;

/** As many participants are named in a message. */
const mostNamed = 20;

/**
 * The key of the file behind a transcription: the mixed one, or the first track of a participant, where a microphone comes before a screen.
 * Throws `RecordingFileNotFound` if there is none, or if it is not in the organization's folder of the recordings bucket.
 */
export function recordingFileKeyOf(
  { organizationId, type, location: mixed }: Pick<TranscriptionRecord, 'organizationId' | 'type' | 'location'>,
  tracks: readonly Track[],
  participantId: string | undefined,
  recordingsBucket: string,
): string {
  if (type === 'LIVE_TRANSCRIPTION')
    throw new RecordingFileNotFound('A live transcription is not made from a recording.');
  const location = participantId === undefined ? mixed : trackOf(tracks, participantId)?.location;
  if (!location) throw new RecordingFileNotFound(`${missing(participantId)} ${known(tracks)}`);
  if (location.bucket !== recordingsBucket || !isInFolder(organizationId, location.key))
    throw new RecordingFileNotFound("The file is not in the organization's folder of the service's recordings bucket.");
  return location.key;
}

function trackOf(tracks: readonly Track[], participantId: string): Track | undefined {
  const own = tracks.filter((track) => track.participantId === participantId);
  return own.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))[0];
}

/** `microphone` sorts before `screen`. */
function placeOf({ source, startDate }: Track): string {
  return `${source} ${startDate}`;
}

/** S3 takes dot segments of a key as they are, but a proxy in front of it may not. */
function isInFolder(organizationId: OrganizationId, key: string): boolean {
  return key.startsWith(recordingsFolder(organizationId)) && !key.split('/').some((part) => ['.', '..'].includes(part));
}

function missing(participantId: string | undefined): string {
  return participantId === undefined
    ? 'The recording has no mixed file.'
    : 'The recording has no track of this participant.';
}

function known(tracks: readonly Track[]): string {
  const ids = [...new Set(tracks.map(({ participantId }) => participantId))];
  if (ids.length === 0) return 'It has no tracks of participants.';
  const more = ids.length > mostNamed ? `, and ${ids.length - mostNamed} more` : '';
  return `It has tracks of these participants, one of which participantId can name: ${ids.slice(0, mostNamed).join(', ')}${more}.`;
}

const typesOfExtensions: Readonly<Record<string, string>> = {
  ...{ aac: 'audio/aac', amr: 'audio/amr', flac: 'audio/flac', m4a: 'audio/mp4', mp3: 'audio/mpeg', wav: 'audio/wav' },
  ...{ oga: 'audio/ogg', ogg: 'audio/ogg', opus: 'audio/ogg', mka: 'audio/x-matroska' },
  ...{ mkv: 'video/x-matroska', mp4: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm' },
};

/** The media type of a recording's file: the one that S3 tells or, if that is none of audio or video, that of its extension. */
export function mediaTypeOf(key: string, told: string | undefined): string | undefined {
  if (told !== undefined && /^(audio|video)\/[\w.+-]+$/.test(told)) return told;
  return typesOfExtensions[key.split('.').at(-1)?.toLowerCase() ?? ''];
}
