import { Roomscribe, type Transcription } from 'roomscribe/client';
import { verifyWebhook } from 'roomscribe/webhooks';

// @ts-expect-error no credentials
new Roomscribe({ apiUrl: '' });
// @ts-expect-error a token excludes a secret
new Roomscribe({ apiUrl: '', tokenUrl: '', clientId: '' });

const { transcriptions, insights, notices, webhooks } = new Roomscribe({ apiUrl: '', token: '' });
// @ts-expect-error unknown filter
transcriptions.list({ room: '/daily' });
// @ts-expect-error no such state
transcriptions.list({ state: 'done' });
// @ts-expect-error no such order
transcriptions.list({ sortBy: 'startDate:up' });
// @ts-expect-error unknown sort field
insights.listRooms({ sortBy: 'endDate:asc' });
// @ts-expect-error must be a number
transcriptions.list({ limit: '10' });
// @ts-expect-error unknown format
transcriptions.downloadText('id', { format: 'pdf' });
// @ts-expect-error requires a recording id
transcriptions.create({ transcriptionId: '' });
// @ts-expect-error requires a participant id
insights.getParticipant({ roomSessionId: '' });
// @ts-expect-error requires a room name
insights.listRoomSessions({});
// @ts-expect-error no such field
transcriptions.get('id').then(({ status }) => status);
// @ts-expect-error can be null
transcriptions.get('id').then(({ filename }) => filename.length);
// @ts-expect-error exists only for a failed transcription
transcriptions.get('id').then(({ failure }) => failure.code);
// @ts-expect-error unknown state in a comparison
transcriptions.get('id').then(({ state }: Transcription) => state === 'done');
// @ts-expect-error a list needs for await
for (const each of transcriptions.list()) console.log(each);
// @ts-expect-error no such type of notices
webhooks.create({ url: '', types: ['transcription.done'] });
// @ts-expect-error requires a url
webhooks.create({});
// @ts-expect-error no such state
webhooks.update('id', { state: 'parked' });
const [notice] = await notices.list().toArray();
// @ts-expect-error exists only for a finished transcription
console.log(notice?.data.durationInSeconds);
// @ts-expect-error unknown type in a comparison
console.log(notice?.type === 'transcription.done');
// @ts-expect-error a parsed body
verifyWebhook({ secret: '', headers: {}, body: { id: '' } });
// @ts-expect-error no secret
verifyWebhook({ headers: {}, body: '' });
