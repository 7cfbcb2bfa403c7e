import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { participantLister } from '#shared/storage/insights/lists.ts';
import { createHandler } from './handler.ts';

const { participants } = readEnv(tableEnv('participants'));
const documents = documentClient();

export const handler = createHandler({
  listParticipants: participantLister(documents, participants),
  admission: admissionFromEnv(documents),
});
