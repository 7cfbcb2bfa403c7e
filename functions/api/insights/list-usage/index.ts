import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { usageLister } from '#shared/storage/insights/usage-days.ts';
import { createHandler } from './handler.ts';

const { usageDays } = readEnv(tableEnv('usageDays'));
const documents = documentClient();

export const handler = createHandler({
  listUsage: usageLister(documents, usageDays),
  admission: admissionFromEnv(documents),
});
