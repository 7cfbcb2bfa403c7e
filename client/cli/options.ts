import { Argument, type Command, Option } from 'commander';
import type { Parameter } from './parameters.ts';
import { usageProblem } from './problems.ts';

const direction = /:(asc|desc)$/;

/** The option of a parameter: `createdAt[from]` is `--created-at-from`. The service validates its value. */
export function optionOf(parameter: Parameter): Option {
  const { name, description, choices, byDefault } = parameter;
  const text = byDefault === undefined ? description : `${description} Default: ${byDefault}.`;
  const option = new Option(`--${kebab(name)} <${placeholderOf(parameter)}>`, text);
  if (parameter.isHeader) option.argParser((value: string) => requireSendable(parameter, value));
  return choices ? option.choices(choices) : option;
}

/** An option that stands for a field of the API with another name, so that problems of the field speak of the option. */
export class FieldOption extends Option {
  readonly #field: string;

  constructor(field: string, flags: string, description: string) {
    super(flags, description);
    this.#field = field;
  }

  override attributeName(): string {
    return this.#field;
  }
}

/** Validates a header value, because an invalid one cannot be sent to the service for validation. */
function requireSendable({ name }: Parameter, value: string): string {
  try {
    new Headers([[name, value]]);
    return value;
  } catch {
    throw usageProblem(`--${kebab(name)} must be visible ASCII characters, because it is sent as a header.`);
  }
}

function placeholderOf({ name, choices, isTime }: Parameter): string {
  if (isTime) return 'time';
  if (choices?.every((choice) => direction.test(choice))) return 'order';
  return kebab(name.replace(/\[.*/, '')).split('-').at(-1) ?? 'value';
}

/** Adds parameters to a command: required ones as arguments, others as options. Descriptions use the names of options. */
export function addParameters(command: Command, parameters: readonly Parameter[]): void {
  for (const parameter of parameters) {
    const { name, description, isRequired } = parameter;
    if (isRequired) command.addArgument(new Argument(`<${kebab(name)}>`, description));
    else command.addOption(optionOf(parameter));
  }
  for (const option of command.options) option.description = spelledOut(option.description, command);
}

/** An argument for an id. Refuses empty ids, such as those of unset variables, and dots: both would change the path. */
export function idArgument(name: string, description: string): Argument {
  const argument = new Argument(name, description);
  return argument.argParser((value: string, before: unknown) => {
    if (!/[^.]/.test(value)) throw usageProblem(`<${argument.name()}> must be an id, not "${value}".`);
    return argument.variadic && Array.isArray(before) ? [...before, value] : argument.variadic ? [value] : value;
  });
}

/** The name of a parameter on the command line: `--limit`, or `<room-name>`. */
export function spellingOf(name: string, command: Command): string | undefined {
  const option = command.options.find((each) => each.attributeName() === attributeOf(name));
  if (option?.long) return option.long;
  const argument = command.registeredArguments.find((each) => camel(each.name()) === attributeOf(name));
  return argument && `<${argument.name()}>`;
}

/** The words of a command with its arguments and options, as a shell reads them. Options of `other` replace given ones. */
export function wordsOf(command: Command, other: Readonly<Record<string, string>>): string {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  const options = command.options.flatMap((option) => {
    const name = option.attributeName();
    const isGiven = command.getOptionValueSource(name) === 'cli';
    const value = other[name] ?? (isGiven ? command.getOptionValue(name) : undefined);
    if (value === undefined || (value === false) !== option.negate) return []; // `--x` and `--no-x` have one value
    return option.required ? [String(option.long), String(value)] : [String(option.long)];
  });
  return [...names, ...command.args, ...options].map(quoted).join(' ');
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A sentence of the service, with parameter names replaced by those of the command line. */
export function spelledOut(sentence: string, command: Command): string {
  return sentence.replaceAll(
    /`?\b([a-z]+[A-Z]\w*\b(?:\[\w+\])?)`?(?!:)/g,
    (written, name: string) => spellingOf(name, command) ?? written,
  );
}

/** The description of an option in the help. Shortens the choices of an order to its fields. */
export function describeOption({ description, argChoices, envVar }: Option): string {
  const isOrder = argChoices?.every((choice) => direction.test(choice));
  const fields = [...new Set(argChoices?.map((choice) => choice.replace(direction, '')))].join(', ');
  return [
    description,
    ...(argChoices ? [isOrder ? `One of ${fields}; with :asc or :desc.` : `One of ${fields}.`] : []),
    ...(envVar ? [`(${envVar})`] : []),
  ].join(' ');
}

/** Parses an option as a number greater than 0. */
export function positive(flag: string): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
    throw usageProblem(`${flag} must be a number greater than 0, not "${value}".`);
  };
}

/** Parses an option as a whole number, 1 or greater. */
export function positiveInteger(flag: string): (value: string) => number {
  return (value) => {
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
    throw usageProblem(`${flag} must be a whole number, 1 or greater, not "${value}".`);
  };
}

/** The section of examples in the help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** The values that were given for parameters, under their names in the API. */
export function valuesOf(command: Command, parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const options = command.opts();
  const required = parameters.filter(({ isRequired }) => isRequired);
  const optional = parameters.filter(({ name, isRequired }) => !isRequired && options[attributeOf(name)] !== undefined);
  return Object.fromEntries([
    ...required.map(({ name }, index) => [name, command.args[index]]),
    ...optional.map(({ name }) => [name, options[attributeOf(name)]]),
  ]);
}

/** The name of a parameter's value among the options of a command. */
function attributeOf(name: string): string {
  return camel(kebab(name));
}

function kebab(name: string): string {
  return name.replace(/\[(.*)\]$/, '-$1').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
