import { Roomscribe, type Transcription } from 'roomscribe/client';

// @ts-expect-error no credentials
new Roomscribe({ apiUrl: '' });
// @ts-expect-error a token, and no secret beside it
new Roomscribe({ apiUrl: '', tokenUrl: '', clientId: '' });

const { transcriptions, insights } = new Roomscribe({ apiUrl: '', token: '' });
// @ts-expect-error no such filter
transcriptions.list({ room: '/daily' });
// @ts-expect-error no such state
transcriptions.list({ state: 'done' });
// @ts-expect-error no such order
transcriptions.list({ sortBy: 'startDate:up' });
// @ts-expect-error no such field to sort by
insights.listRooms({ sortBy: 'endDate:asc' });
// @ts-expect-error a number
transcriptions.list({ limit: '10' });
// @ts-expect-error no such format
transcriptions.downloadText('id', { format: 'pdf' });
// @ts-expect-error an id of a recording
transcriptions.create({ transcriptionId: '' });
// @ts-expect-error which participant
insights.getParticipant({ roomSessionId: '' });
// @ts-expect-error of which room
insights.listRoomSessions({});
// @ts-expect-error no such field
transcriptions.get('id').then(({ status }) => status);
// @ts-expect-error it may have no name yet
transcriptions.get('id').then(({ filename }) => filename.length);
// @ts-expect-error it may not have failed
transcriptions.get('id').then(({ failure }) => failure.code);
// @ts-expect-error no such state to compare with
transcriptions.get('id').then(({ state }: Transcription) => state === 'done');
// @ts-expect-error a list is gone through with await
for (const each of transcriptions.list()) console.log(each);
