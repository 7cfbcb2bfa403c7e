import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { refusedEventLister } from '#shared/storage/platforms/refused-events.ts';
import { createHandler } from './handler.ts';

const { refusedEvents } = readEnv(tableEnv('refusedEvents'));
const documents = documentClient();

export const handler = createHandler({
  listRefused: refusedEventLister(documents, refusedEvents),
  admission: admissionFromEnv(documents),
});
