/** An error response with a name and a message of AWS. */
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
