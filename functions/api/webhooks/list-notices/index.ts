import { admissionFromEnv } from '#shared/admission-from-env.ts';
import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { noticeLister } from '#shared/storage/notice-list.ts';
import { createHandler } from './handler.ts';

const { notices } = readEnv({ notices: envNames.noticesTable });
const documents = documentClient();

export const handler = createHandler({
  listNotices: noticeLister(documents, notices),
  admission: admissionFromEnv(documents),
});
