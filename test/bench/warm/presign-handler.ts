import { accessLinks } from '#shared/adapters/s3/access-links.ts';

// Signs a link to a file as the functions do, without a request around it.

const credentials = {
  accessKeyId: 'local',
  secretAccessKey: 'local',
  sessionToken: 'local',
  expiration: new Date(Date.now() + 3_600_000),
};
const signer = accessLinks({
  bucket: 'transcripts',
  region: 'us-east-1',
  endpoint: undefined,
  credentialsFor: async () => credentials,
});

export const handler = async () => {
  const signed = await signer.sign({
    key: 'generated/acme/9226ec25-8833-431d-82bc-05dbfd0728fb/9226ec25-8833-431d-82bc-05dbfd0728fb.txt',
    filename: 'standup.txt',
    contentType: 'text/plain; charset=utf-8',
    validForSeconds: 3_000,
    method: 'GET',
  });
  return { statusCode: signed ? 200 : 500, body: JSON.stringify(signed) };
};
