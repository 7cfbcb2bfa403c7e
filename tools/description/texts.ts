import type * as z from 'zod';
import type { Endpoint, RequestSchemas, SelfAuthenticatedEndpoint } from '#shared/contracts/common/endpoint.ts';
import type { ErrorCode } from '#shared/contracts/common/errors.ts';
import type { OwnErrorTexts } from './error-texts.ts';
import type { JsonSchema } from './json-schema.ts';

type Schema = z.core.$ZodType;

/** An example value and its title. */
export type Example<Value> = { readonly summary: string; readonly value: Value };
/** Examples by name. */
export type Examples<Value> = Readonly<Record<string, Example<Value>>>;

/** The texts of a parameter. */
export type ParameterTexts = { readonly description: string; readonly example?: string | number };

/**
 * Another spelling of a parameter. Only the text of that parameter mentions it: generated clients would have two arguments with
 * one name, because they drop brackets.
 */
export type Respelling = { readonly sameAs: string };

/** An object's schema with a description of the object and of each field. */
export type DescribedSchema = {
  readonly schema: Schema;
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
  /** A complete value. Each field takes its example from it. */
  readonly example: Readonly<Record<string, unknown>>;
};

/** Adds texts to a schema. A field without a description, or an example that does not match the schema, does not compile. */
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

/** Names a schema that is no object. The fields that refer to it have their own texts and examples. */
export function describedValue(schema: Schema, description: string): DescribedSchema {
  return { schema, description, fields: {}, example: {} };
}

/** The error codes that an endpoint must list itself. The other codes follow from its definition. */
export type OwnErrorCode = Extract<
  ErrorCode,
  | 'transcription_not_ready'
  | 'transcription_failed'
  | 'self_hosted'
  | 'recording_not_found'
  | 'recording_links_disabled'
  | 'recording_file_not_found'
  | 'transcription_not_found'
  | 'too_many_deletions'
  | 'too_many_minutes'
  | 'too_many_replays'
  | 'transcript_not_found'
  | 'speaker_not_found'
  | 'participant_not_found'
  | 'webhook_not_found'
  | 'notice_not_found'
  | 'webhook_is_disabled'
  | 'too_many_webhooks'
  | 'replay_in_progress'
>;

type ServedSchemas = RequestSchemas & Pick<Endpoint, 'response'>;

type ParametersOf<Definition extends ServedSchemas, Part extends 'params' | 'query' | 'headers'> = Definition extends {
  readonly [name in Part]: infer Described extends Schema;
}
  ? { readonly [name in Part]: Readonly<Record<keyof z.input<Described> & string, ParameterTexts | Respelling>> }
  : { readonly [name in Part]?: never };

type BodyOf<Definition extends ServedSchemas> = Definition extends { readonly body: infer Described extends Schema }
  ? { readonly body: { readonly description: string; readonly examples: Examples<z.input<Described>> } }
  : { readonly body?: never };

type ResponseOf<Definition extends ServedSchemas> = Definition extends {
  readonly response: infer Described extends Schema;
}
  ? { readonly examples: Examples<z.output<Described>> }
  : { readonly examples?: never };

/** The texts of every part of an endpoint's definition, and the error codes that only this endpoint returns. */
export type OperationTexts<Definition extends ServedSchemas> = {
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

type ParametersTexts = Readonly<Record<string, ParameterTexts | Respelling>>;

/** The texts of any endpoint. */
export type AnyOperationTexts = {
  readonly summary: string;
  readonly description: string;
  readonly errors: readonly OwnErrorCode[];
  readonly success: {
    readonly description: string;
    readonly headers?: Readonly<Record<string, ParameterTexts>>;
    readonly examples?: Examples<unknown>;
  };
  readonly params?: ParametersTexts;
  readonly query?: ParametersTexts;
  readonly headers?: ParametersTexts;
  readonly body?: { readonly description: string; readonly examples: Examples<unknown> };
};

/** The texts of a group of endpoints. */
export type OperationsTexts<Definitions extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Definitions]: OperationTexts<Definitions[Name]>;
};

type OwnAuthentication = {
  /**
   * The security scheme by which callers authenticate. Operations with the same scheme use the same name. Undefined if the path
   * authenticates, which OpenAPI has no scheme for.
   */
  readonly security?: { readonly name: string; readonly scheme: JsonSchema };
  /** The errors of authentication and of the work, with their texts. */
  readonly errors: OwnErrorTexts;
};

/** The texts of all self-authenticated endpoints. */
export type SelfAuthenticatedTexts<Definitions extends Readonly<Record<string, SelfAuthenticatedEndpoint>>> = {
  readonly [Name in keyof Definitions]: Omit<OperationTexts<Definitions[Name]>, 'errors'> & OwnAuthentication;
};

/** The texts of any self-authenticated endpoint. */
export type AnySelfAuthenticatedTexts = Omit<AnyOperationTexts, 'errors'> & OwnAuthentication;
