import { admissionEnv, admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { noticeLister } from '#shared/storage/notice-list.ts';
import { createHandler } from './handler.ts';

const { notices, ...env } = readEnv({ notices: envNames.noticesTable, ...admissionEnv });
const documents = documentClient();

export const handler = createHandler({
  listNotices: noticeLister(documents, notices),
  admission: admissionFromEnv(documents, env),
});
