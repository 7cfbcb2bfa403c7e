import { NotFoundError, Roomscribe } from 'roomscribe/client';

const [apiUrl, tokenUrl, clientId] = process.argv.slice(2);
const roomscribe = new Roomscribe({ apiUrl, tokenUrl, clientId, clientSecret: 'local' });

const listed = [];
for await (const { transcriptionId } of roomscribe.transcriptions.list({ limit: 1 })) listed.push(transcriptionId);
const refused = await roomscribe.transcriptions.get(crypto.randomUUID()).catch((error) => error);
const methodsOf = (object) => Object.getOwnPropertyNames(Object.getPrototypeOf(object));
console.log(
  JSON.stringify({
    listed,
    refused: [refused instanceof NotFoundError, refused.code],
    methods: ['transcriptions', 'insights', 'notices', 'webhooks'].flatMap((name) => methodsOf(roomscribe[name])),
  }),
);
