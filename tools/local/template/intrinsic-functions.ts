import { UserError } from '#tools/shared/user-error.ts';

/** Returns the values of `Ref` and `Fn::GetAtt`, or undefined for a value that does not exist locally. */
export type Lookup = {
  readonly ref: (logicalId: string) => string | undefined;
  readonly attribute: (logicalId: string, attribute: string) => string | undefined;
};

/** Replaces the intrinsic functions in a template value with their results. Throws for an unknown function. */
export function resolveIntrinsics(value: unknown, lookup: Lookup): unknown {
  if (Array.isArray(value))
    return value.map((item) => resolveIntrinsics(item, lookup)).filter((item) => item !== noValue);
  if (!isRecord(value)) return value;
  const [key, ...otherKeys] = Object.keys(value);
  if (key !== undefined && otherKeys.length === 0 && isIntrinsic(key)) return callIntrinsic(key, value[key], lookup);
  const entries = Object.entries(value).map(([name, item]) => [name, resolveIntrinsics(item, lookup)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== noValue));
}

/** The result of `AWS::NoValue`. The property or element with this value is omitted. */
const noValue = Symbol('AWS::NoValue');

type Intrinsic = (argument: unknown, lookup: Lookup) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, lookup) => reference(text(argument, 'Ref'), lookup),
  'Fn::GetAtt': (argument, lookup) => {
    const [logicalId = '', ...attribute] =
      typeof argument === 'string' ? argument.split('.') : texts(argument, 'Fn::GetAtt');
    return attributeOf(logicalId, attribute.join('.'), lookup);
  },
  'Fn::Join': (argument, lookup) => {
    const [separator, parts] = list(argument, 'Fn::Join');
    return texts(resolveIntrinsics(parts, lookup), 'Fn::Join').join(text(separator, 'Fn::Join'));
  },
  'Fn::Sub': (argument, lookup) => substitute(argument, lookup),
  'Fn::Select': (argument, lookup) => {
    const [index, items] = list(resolveIntrinsics(argument, lookup), 'Fn::Select');
    return list(items, 'Fn::Select')[Number(index)];
  },
  'Fn::Split': (argument, lookup) => {
    const [separator, source] = texts(resolveIntrinsics(argument, lookup), 'Fn::Split');
    return (source ?? '').split(separator ?? '');
  },
};

function callIntrinsic(name: string, argument: unknown, lookup: Lookup): unknown {
  const intrinsic = intrinsics[name];
  if (!intrinsic) {
    throw new UserError(
      `The template uses ${name}, which tools/local does not support. Add it to template/intrinsic-functions.ts.`,
    );
  }
  return intrinsic(argument, lookup);
}

function reference(logicalId: string, lookup: Lookup): unknown {
  if (logicalId === 'AWS::NoValue') return noValue;
  const value = lookup.ref(logicalId);
  if (value === undefined) throw unknownValue(`Ref of "${logicalId}"`);
  return value;
}

function attributeOf(logicalId: string, attribute: string, lookup: Lookup): string {
  const value = lookup.attribute(logicalId, attribute);
  if (value === undefined) throw unknownValue(`attribute "${attribute}" of "${logicalId}"`);
  return value;
}

/** Replaces `${name}`, `${name.attribute}` and `${!literal}`. Variables of the long form take precedence. */
function substitute(argument: unknown, lookup: Lookup): string {
  const [pattern, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, 'Fn::Sub');
  const own = resolveIntrinsics(variables, lookup);
  return text(pattern, 'Fn::Sub').replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (isRecord(own) && Object.hasOwn(own, name)) return text(own[name], 'Fn::Sub');
    const [logicalId = '', ...attribute] = name.split('.');
    return attribute.length > 0
      ? attributeOf(logicalId, attribute.join('.'), lookup)
      : text(reference(logicalId, lookup), 'Fn::Sub');
  });
}

function isIntrinsic(key: string): boolean {
  return key === 'Ref' || key === 'Condition' || key.startsWith('Fn::');
}

function unknownValue(what: string): UserError {
  return new UserError(
    `The template uses the ${what}, which has no local value. Add its type to template/physical-names.ts.`,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown, intrinsic: string): string {
  if (typeof value !== 'string')
    throw new UserError(`The template passes ${intrinsic} a ${typeof value} instead of a string.`);
  return value;
}

function list(value: unknown, intrinsic: string): readonly unknown[] {
  if (!Array.isArray(value))
    throw new UserError(`The template passes ${intrinsic} a ${typeof value} instead of a list.`);
  return value;
}

function texts(value: unknown, intrinsic: string): string[] {
  return list(value, intrinsic).map((item) => text(item, intrinsic));
}
