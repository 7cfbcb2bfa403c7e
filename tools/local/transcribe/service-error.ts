/** An error the service answers a request with, named and worded as Amazon Transcribe does. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The request breaks one of the service's rules. */
export const badRequest = (message: string): ServiceError => new ServiceError('BadRequestException', message);
