import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { refusedEventLister } from '#shared/storage/refused-events.ts';
import { createHandler } from './handler.ts';

const { refusedEvents } = readEnv(tableEnv('refusedEvents'));
const documents = documentClient();

export const handler = createHandler({
  listRefused: refusedEventLister(documents, refusedEvents),
  admission: admissionFromEnv(documents),
});
