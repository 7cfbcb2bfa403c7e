import { ErrorBody, ErrorIssue, GatewayError } from '#shared/contracts/common/errors.ts';
import { errorTexts, gatewayErrors } from './error-texts.ts';
import { described } from './texts.ts';

const issue = { path: 'limit', message: 'must be a whole number from 1 to 100' };

/** An example body of an error. */
export function errorExample(code: ErrorBody['code'], message = errorTexts[code].message): ErrorBody {
  const body = { code, message };
  return code === 'invalid_request' ? { ...body, issues: [issue] } : body;
}

/** The schemas of error bodies. */
export const errorResponses = {
  Error: described(ErrorBody, {
    description: 'An error of the service.',
    fields: {
      message: 'A text for people. It can change.',
      code: 'Stable code to branch on.',
      issues: 'The problems and their places, at most 20. Only with `invalid_request`.',
    },
    example: errorExample('invalid_request'),
  }),
  ErrorIssue: described(ErrorIssue, {
    description: 'One problem of a request.',
    fields: {
      path: 'A parameter, or a place in the body (`transcriptionIds.3`, or `body` if the body is not a JSON object).',
      message: 'What the value must be.',
    },
    example: issue,
  }),
  GatewayError: described(GatewayError, {
    description: 'An error of API Gateway, which answers before or instead of the service. It has no code.',
    fields: { message: 'The phrase of the status.' },
    example: { message: gatewayErrors.unauthorized.message },
  }),
};
