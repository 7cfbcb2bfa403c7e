import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { participantLister } from '#shared/storage/insights/lists.ts';
import { createHandler } from './handler.ts';

const { participants } = readEnv(tableEnv('participants'));
const documents = documentClient();

export const handler = createHandler({
  listParticipants: participantLister(documents, participants),
  admission: admissionFromEnv(documents),
});
