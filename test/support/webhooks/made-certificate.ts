import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, as PEM. */
export type MadeCertificate = { readonly cert: string; readonly key: string };

const tag = { integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, sequence: 0x30, set: 0x31, utcTime: 23 } as const;
const ecdsaWithSha256 = '06082a8648ce3d040302';
const commonName = '0603550403';
const basicConstraints = '0603551d13';
const subjectAltName = '0603551d11';

/** Makes a certificate that signs itself, for a host name or an IPv4 address. It is valid from a day before `validAt` to a day after. */
export function madeCertificate(host: string, validAt = new Date()): MadeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(tag.sequence, Buffer.from(ecdsaWithSha256, 'hex'));
  const name = der(
    tag.sequence,
    der(tag.set, der(tag.sequence, Buffer.from(commonName, 'hex'), der(tag.utf8, Buffer.from('test')))),
  );
  const day = 24 * 3_600_000;
  const validity = der(tag.sequence, utcTime(validAt.getTime() - day), utcTime(validAt.getTime() + day));
  const isAddress = /^[\d.]+$/.test(host);
  const alternative = isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  const extensions = der(
    0xa3,
    der(
      tag.sequence,
      extension(basicConstraints, der(tag.sequence, Buffer.from('0101ff', 'hex'))),
      extension(subjectAltName, der(tag.sequence, alternative)),
    ),
  );
  const serial = der(tag.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const version = der(0xa0, der(tag.integer, Buffer.from([2])));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(tag.sequence, version, serial, algorithm, name, validity, name, spki, extensions);
  const signature = der(tag.bits, Buffer.from([0]), sign('sha256', signed, privateKey));
  const base64 = der(tag.sequence, signed, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extension(oid: string, value: Buffer): Buffer {
  return der(tag.sequence, Buffer.from(oid, 'hex'), der(tag.octets, value));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(tag.utcTime, Buffer.from(`${digits}Z`));
}

/** A value in DER: its tag, the length of its content, and the content. */
function der(type: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([type, ...length]), content]);
}
