import { ErrorBody, ErrorIssue, GatewayError } from '../../shared/contracts/errors.ts';
import { errorTexts, gatewayErrors } from './error-texts.ts';
import { described } from './texts.ts';

const issue = { path: 'limit', message: 'must be a whole number from 1 to 100' };

/** The body of an error, as the service answers it. */
export function errorExample(code: ErrorBody['code']): ErrorBody {
  const body = { code, message: errorTexts[code].message };
  return code === 'invalid_request' ? { ...body, issues: [issue] } : body;
}

/** The bodies of errors. */
export const errorResponses = {
  Error: described(ErrorBody, {
    description: 'An error of the service.',
    fields: {
      message: 'For people; it may change.',
      code: 'Stable, to branch on.',
      issues: 'Only with `invalid_request`: what is wrong, and where; at most 20.',
    },
    example: errorExample('invalid_request'),
  }),
  ErrorIssue: described(ErrorIssue, {
    description: 'One problem of a request.',
    fields: {
      path: 'The parameter, or the place in the body (`transcriptionIds.3`; `body` if it is no JSON object).',
      message: 'What it must be.',
    },
    example: issue,
  }),
  GatewayError: described(GatewayError, {
    description: 'An error that API Gateway answers by itself, before or instead of the service: it has no code.',
    fields: { message: "The status's own phrase." },
    example: { message: gatewayErrors.unauthorized.message },
  }),
};
