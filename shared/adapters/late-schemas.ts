import * as zod from 'zod/v4/mini';

// Replaces `zod/mini` in every bundle: a schema is built when it is first used. A function loads the schemas of all operations
// of its area, and uses few of them. See docs/decisions/0086-module-load.md.

// biome-ignore lint/performance/noBarrelFile: it takes the place of a package, and bundles leave out what they do not use
export * from 'zod/v4/mini';

type Built = zod.ZodMiniType & { readonly shape?: unknown };

/** A schema or a check that is built when something first reads it. */
class Late {
  readonly #build: () => Built;
  readonly #shape: unknown;
  #built: Built | undefined;

  /** `shape` is that of an object, which others may take parts of before it is built. */
  constructor(build: () => Built, shape?: unknown) {
    this.#build = build;
    this.#shape = shape;
  }

  get #schema(): Built {
    this.#built ??= this.#build();
    return this.#built;
  }

  /** All that zod reads of a schema within another one. */
  get _zod(): unknown {
    return this.#schema._zod;
  }

  get def(): unknown {
    return this.#schema.def;
  }

  get shape(): unknown {
    return this.#shape ?? this.#schema.shape;
  }

  check(...checks: Parameters<Built['check']>): Late {
    return new Late(() => this.#schema.check(...checks));
  }

  brand(): this {
    return this;
  }

  parse(...args: Parameters<Built['parse']>): unknown {
    return this.#schema.parse(...args);
  }

  safeParse(...args: Parameters<Built['safeParse']>): unknown {
    return this.#schema.safeParse(...args);
  }
}

/**
 * The same factory, whose schemas and checks are built late. Bundles leave out factories that they do not use.
 * @__NO_SIDE_EFFECTS__
 */
function late<Factory extends (...args: never[]) => unknown>(factory: Factory): Factory {
  return ((...args: never[]) => new Late(() => factory(...args) as Built)) as unknown as Factory;
}

/**
 * Like `late`, for factories whose first argument is the shape of an object.
 * @__NO_SIDE_EFFECTS__
 */
function lateObject<Factory extends (...args: never[]) => unknown>(factory: Factory): Factory {
  return ((...args: never[]) => new Late(() => factory(...args) as Built, args[0])) as unknown as Factory;
}

export const string = late(zod.string);
export const number = late(zod.number);
export const int = late(zod.int);
export const boolean = late(zod.boolean);
export const literal = late(zod.literal);
export const unknown = late(zod.unknown);
export const never = late(zod.never);
export const object = lateObject(zod.object);
export const strictObject = lateObject(zod.strictObject);
export const array = late(zod.array);
export const tuple = late(zod.tuple);
export const record = late(zod.record);
export const union = late(zod.union);
export const discriminatedUnion = late(zod.discriminatedUnion);
export const optional = late(zod.optional);
export const nullable = late(zod.nullable);
export const nullish = late(zod.nullish);
export const pipe = late(zod.pipe);
export const transform = late(zod.transform);
export const prefault = late(zod.prefault);
export const refine = late(zod.refine);
export const regex = late(zod.regex);
export const minLength = late(zod.minLength);
export const maxLength = late(zod.maxLength);
export const minimum = late(zod.minimum);
export const maximum = late(zod.maximum);
export const nonnegative = late(zod.nonnegative);
export const positive = late(zod.positive);
export const pick = late(zod.pick);
export const omit = late(zod.omit);
export const partial = late(zod.partial);
export const extend = late(zod.extend);
export const intersection = late(zod.intersection);
const lateEnum = late(zod.enum);
const lateDefault = late(zod._default);

export { lateDefault as _default, lateEnum as enum };
