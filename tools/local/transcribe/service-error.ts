/** An error response with the names and messages of Amazon Transcribe. */
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

/** The error for an invalid request. */
export const badRequest = (message: string): ServiceError => new ServiceError('BadRequestException', message);
