import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { usageLister } from '#shared/storage/insights/usage-days.ts';
import { createHandler } from './handler.ts';

const { usageDays } = readEnv(tableEnv('usageDays'));
const documents = documentClient();

export const handler = createHandler({
  listUsage: usageLister(documents, usageDays),
  admission: admissionFromEnv(documents),
});
