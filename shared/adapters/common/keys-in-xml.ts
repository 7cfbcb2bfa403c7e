/** Every character that XML 1.0 carries unchanged. It has none for most control characters, and parsers change others. */
const unchangedInXml = /^[\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** True if the XML body of a request to S3, such as DeleteObjects, can carry the key. */
export function fitsXml(key: string): boolean {
  return unchangedInXml.test(key);
}

/**
 * A key of a list that was requested with the encoding type `url`, so that the XML of the answer can carry it. S3 says in its
 * answer whether the keys are encoded. It encodes them like the fields of a form, with `+` for a space.
 */
export function listedKey(key: string, encodingType: string | undefined): string {
  return encodingType === 'url' ? decodeURIComponent(key.replaceAll('+', ' ')) : key;
}
