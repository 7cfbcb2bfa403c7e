import { admissionFromEnv } from '#functions/wiring/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/runtime/env.ts';
import { documentClient } from '#shared/storage/common/document-client.ts';
import { noticeLister } from '#shared/storage/notices/notice-list.ts';
import { createHandler } from './handler.ts';

const { notices } = readEnv(tableEnv('notices'));
const documents = documentClient();

export const handler = createHandler({
  listNotices: noticeLister(documents, notices),
  admission: admissionFromEnv(documents),
});
