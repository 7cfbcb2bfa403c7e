import type { Attempt, DeliveryFailureCode } from '#shared/contracts/webhooks/webhooks.ts';

/** Why a delivery failed and what its receiver can do about it, in a sentence for each code. */
export const deliveryFailureTexts: Readonly<Record<DeliveryFailureCode, string>> = {
  answer_not_2xx: 'The receiver did not answer with a status from 200 to 299. Look into its logs.',
  redirect: 'The receiver answered with a redirect, which is not followed. Enter the address to which it leads.',
  timeout: 'The receiver did not answer completely in ten seconds. Answer first, and do the work afterwards.',
  answer_too_large: 'The answer has more than 64 KB. Answer with an empty body.',
  connection_failed: 'The connection failed, or ended before a complete answer of HTTP. Check that the receiver runs.',
  tls_failed: 'The TLS handshake failed. Check the certificate of the receiver: its names, its dates and its chain.',
  host_not_found:
    'The host name has no address, or its name servers do not answer. Check the URL and the DNS records of the host.',
  address_not_public: 'The host has an address that is not public, and is not called. Use a receiver on the internet.',
  webhook_disabled: 'The webhook was disabled before this delivery was made. Enable it and replay its notices.',
  notice_gone: 'The notice was deleted before it was delivered, because its time was over.',
};

/** The failure of an attempt, with its sentence. */
export function deliveryFailure(code: DeliveryFailureCode): NonNullable<Attempt['failure']> {
  return { code, message: deliveryFailureTexts[code] };
}

/** Why an answer with this status is a failure. Undefined for one from 200 to 299. */
export function failureOfStatus(status: number): DeliveryFailureCode | undefined {
  if (status >= 200 && status <= 299) return undefined;
  return status >= 300 && status <= 399 ? 'redirect' : 'answer_not_2xx';
}

/** Whatever asks for more asks for this. It is longer than what counts. */
const longestSeconds = 999_999_999;

/** For how many seconds a `Retry-After` asks to wait: seconds, or a date of HTTP. Undefined for anything else, and for no time. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestSeconds) || undefined;
  if (!httpDate.test(text)) return undefined;
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

/** The form of dates that HTTP has servers write. https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
