import openApi from '../../docs/openapi.json' with { type: 'json' };

/** The texts of a type's properties in the API's description, in its order. */
export type PropertyTexts = ReadonlyMap<string, { readonly text: string | undefined; readonly inner: PropertyTexts }>;

type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
};
type Parameter = { readonly name: string; readonly in: string; readonly description?: string };
type Operation = { readonly operationId?: string; readonly parameters?: readonly object[] };

// The type of the JSON has each of its schemas, and not all properties of inner ones have texts.
const schemas = openApi.components.schemas as Readonly<Record<string, object>> as Readonly<Record<string, Schema>>;
const operations: readonly Operation[] = Object.values(openApi.paths).flatMap((item) => Object.values(item));

/** The texts of the schema with this name, or of an operation's query: `ListRoomInsights` is `list-room-insights`. */
export function propertyTexts(typeName: string): PropertyTexts {
  const schema = schemas[typeName] ?? schemas[`${typeName}Result`]; // `WebhookTest` has another name for generators
  if (schema) return textsOf(schema);
  const id = typeName.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
  const parameters = operations.find(({ operationId }) => operationId === id)?.parameters as readonly Parameter[];
  return new Map(
    (parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, description }) => [name, { text: description, inner: new Map() }]),
  );
}

function textsOf({ $ref, properties = {} }: Schema): PropertyTexts {
  const target = $ref && schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (target) return textsOf(target);
  return new Map(
    Object.entries(properties).map(([name, schema]) => [name, { text: schema.description, inner: textsOf(schema) }]),
  );
}
