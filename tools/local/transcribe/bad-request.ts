import { ServiceError } from '../services/service-error.ts';

/** The error of Amazon Transcribe for an invalid request. */
export const badRequest = (message: string): ServiceError => new ServiceError('BadRequestException', message);
