import type * as z from 'zod';
import type { Endpoint } from '../../shared/contracts/endpoint.ts';
import type { ErrorCode } from '../../shared/contracts/errors.ts';

type Schema = z.core.$ZodType;

/** An example, and the one line that says of what. */
export type Example<Value> = { readonly summary: string; readonly value: Value };
/** Examples by name. */
export type Examples<Value> = Readonly<Record<string, Example<Value>>>;

/** What people are told of a parameter. */
export type ParameterTexts = { readonly description: string; readonly example?: string | number };

/** A schema of an object, and what people are told of it and of each of its fields. */
export type DescribedSchema = {
  readonly schema: Schema;
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
  /** A whole value; each field has its example from here. */
  readonly example: Readonly<Record<string, unknown>>;
};

/** A schema with its texts: a field without a description does not compile, nor does an example of another form. */
export function described<Described extends z.core.$ZodObject>(
  schema: Described,
  texts: {
    readonly description: string;
    readonly fields: Readonly<Record<keyof z.output<Described>, string>>;
    readonly example: z.output<Described>;
  },
): DescribedSchema & { readonly example: z.output<Described> } {
  return { schema, ...texts };
}

/** The codes of errors that only some endpoints answer with; the others follow from what an endpoint is. */
export type OwnErrorCode = Extract<
  ErrorCode,
  | 'transcription_not_ready'
  | 'transcription_failed'
  | 'self_hosted'
  | 'recording_not_found'
  | 'transcription_not_found'
  | 'transcript_not_found'
>;

type ParametersOf<Definition extends Endpoint, Part extends 'params' | 'query' | 'headers'> = Definition extends {
  readonly [name in Part]: infer Described extends Schema;
}
  ? { readonly [name in Part]: Readonly<Record<keyof z.input<Described> & string, ParameterTexts>> }
  : { readonly [name in Part]?: never };

type BodyOf<Definition extends Endpoint> = Definition extends { readonly body: infer Described extends Schema }
  ? { readonly body: { readonly description: string; readonly examples: Examples<z.input<Described>> } }
  : { readonly body?: never };

type ResponseOf<Definition extends Endpoint> = Definition extends { readonly response: infer Described extends Schema }
  ? { readonly examples: Examples<z.output<Described>> }
  : { readonly examples?: never };

/** What people are told of an endpoint, part for part of its definition, and the errors that are its own. */
export type OperationTexts<Definition extends Endpoint> = {
  readonly summary: string;
  readonly description: string;
  readonly errors: readonly OwnErrorCode[];
  readonly success: ResponseOf<Definition> & {
    readonly description: string;
    /** Headers that no other endpoint has, by name. */
    readonly headers?: Readonly<Record<string, ParameterTexts>>;
  };
} & ParametersOf<Definition, 'params'> &
  ParametersOf<Definition, 'query'> &
  ParametersOf<Definition, 'headers'> &
  BodyOf<Definition>;

type ParametersTexts = Readonly<Record<string, ParameterTexts>>;

/** The same of whatever endpoint. */
export type AnyOperationTexts = {
  readonly summary: string;
  readonly description: string;
  readonly errors: readonly OwnErrorCode[];
  readonly success: {
    readonly description: string;
    readonly headers?: ParametersTexts;
    readonly examples?: Examples<unknown>;
  };
  readonly params?: ParametersTexts;
  readonly query?: ParametersTexts;
  readonly headers?: ParametersTexts;
  readonly body?: { readonly description: string; readonly examples: Examples<unknown> };
};

/** The texts of all of some endpoints. */
export type OperationsTexts<Definitions extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Definitions]: OperationTexts<Definitions[Name]>;
};
