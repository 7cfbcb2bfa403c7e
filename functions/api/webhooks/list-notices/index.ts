import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv, tableEnv } from '#shared/env.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { noticeLister } from '#shared/storage/notice-list.ts';
import { createHandler } from './handler.ts';

const { notices } = readEnv(tableEnv('notices'));
const documents = documentClient();

export const handler = createHandler({
  listNotices: noticeLister(documents, notices),
  admission: admissionFromEnv(documents),
});
