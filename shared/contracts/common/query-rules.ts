import * as z from 'zod/mini';

/** A query as rules see it: the given parameters, each parsed by its own schema. */
type Query = Readonly<Record<string, unknown>> & { readonly sortBy?: { readonly field: string } | undefined };

const rule = (path: string, error: (query: Query) => string, holds: (query: Query) => boolean) =>
  z.refine<Query>(holds, { error: ({ input }) => error(input as Query), path: [path] });

const givenOf = (query: Query, names: readonly string[]) => names.filter((name) => query[name] !== undefined);
const hasNone = (query: Query, names: readonly string[]) => givenOf(query, names).length === 0;

/** If both ends of a range are given, in either spelling, the time `to` must be later than the time `from`. */
export function isLater(to: readonly string[], from: readonly string[]): z.core.CheckFn<Query> {
  return ({ value, issues }) => {
    const [[first], [last]] = [givenOf(value, from), givenOf(value, to)];
    if (first === undefined || last === undefined || String(value[first]) < String(value[last])) return;
    issues.push({ code: 'custom', input: value, path: [last], message: `must be later than ${first}` });
  };
}

/** The parameter must not be given together with any of the others. */
export function excludes(name: string, others: readonly string[]) {
  return rule(
    name,
    (query) => `cannot be combined with ${givenOf(query, others).join(', ')}`,
    (query) => hasNone(query, [name]) || hasNone(query, others),
  );
}

/** The parameter must be given, in this or in another spelling. */
function requires(name: string, respellings: readonly string[]) {
  return rule(
    name,
    () => 'is required',
    (query) => !hasNone(query, [name, ...respellings]),
  );
}

/** If one of these parameters filters the list, the list must be sorted by `field`, in either direction. */
export function sortsBy(field: string, names: readonly string[]) {
  return rule(
    'sortBy',
    (query) => `must be ${field}:asc or ${field}:desc with ${givenOf(query, names).join(', ')}`,
    (query) => (query.sortBy?.field ?? field) === field || hasNone(query, names),
  );
}

/** The two spellings of the ends of a range of times, such as `createdAt[from]` and `createdAtFrom`. */
export function spellingsOf(field: string) {
  return { from: [`${field}[from]`, `${field}From`], to: [`${field}[to]`, `${field}To`] } as const;
}

/** The names by which handlers know filters that are spelled with brackets. */
type PlainNames = Readonly<Record<string, string>>;
type Plain<Given, Names extends PlainNames> = {
  [Key in keyof Given as Key extends keyof Names ? Names[Key] : Key]: Given[Key];
};

/** The query of which these parameters are required, each in one of its spellings. Clients use the plain one. */
type With<Query, Required> = Query & {
  [Name in keyof Query as Name & Required]-?: Exclude<Query[Name], undefined>;
};

/**
 * The query with each filter under its plain name. A filter in both spellings is refused, even with equal values. A filter can
 * be required in either spelling. Its description then is that of a required parameter.
 */
export function inPlainNames<
  Schema extends z.ZodMiniObject,
  const Names extends PlainNames,
  const Required extends string = never,
>(schema: Schema, names: Names, required: readonly Required[] = []) {
  const bracketedOf = (name: string) => Object.keys(names).filter((bracketed) => names[bracketed] === name);
  const onlyOnce = Object.entries(names).map(([bracketed, plain]) => excludes(bracketed, [plain]));
  const isGiven = required.map((name) => requires(name, bracketedOf(name)));
  const plain = (query: z.output<Schema>) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [names[name] ?? name, value]));
  const inPlain: z.ZodMiniType = z.pipe(schema.check(...onlyOnce, ...isGiven), z.transform(plain));
  if (required.length > 0) z.globalRegistry.add(inPlain, { required });
  return inPlain as z.ZodMiniType<With<Plain<z.output<Schema>, Names>, Required>, With<z.input<Schema>, Required>>;
}
