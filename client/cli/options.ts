import { Argument, type Command, Option } from 'commander';
import type { Parameter } from './parameters.ts';
import { usageProblem } from './problems.ts';

const direction = /:(asc|desc)$/;

/** The option of a parameter: `roomNamePrefix` is `--room-name-prefix`. What it must be, the service says. */
export function optionOf(parameter: Parameter): Option {
  const { name, description, choices, byDefault } = parameter;
  const text = byDefault === undefined ? description : `${description} ${byDefault} if left out.`;
  const option = new Option(`--${kebab(name)} <${placeholderOf(parameter)}>`, text);
  return choices ? option.choices(choices) : option;
}

function placeholderOf({ name, choices, isTime }: Parameter): string {
  if (isTime) return 'time';
  if (choices?.every((choice) => direction.test(choice))) return 'order';
  return kebab(name).split('-').at(-1) ?? 'value';
}

/** The argument of a parameter that must be given. */
export function argumentOf({ name, description }: Parameter): Argument {
  return new Argument(`<${kebab(name)}>`, description);
}

/** The argument for an id: an empty one, as of a variable that is not set, or dots would name something else. */
export function idArgument(name: string, description: string): Argument {
  const argument = new Argument(name, description);
  return argument.argParser((value: string, before: unknown) => {
    if (!/[^.]/.test(value)) throw usageProblem(`<${argument.name()}> must be an id, not "${value}".`);
    return argument.variadic && Array.isArray(before) ? [...before, value] : argument.variadic ? [value] : value;
  });
}

/** How a person writes the part of a request that the service names so: `--limit`, or `<room-name>`. */
export function spellingOf(name: string, command: Command): string | undefined {
  const option = command.options.find((each) => each.attributeName() === camel(name));
  if (option?.long) return option.long;
  const argument = command.registeredArguments.find((each) => camel(each.name()) === camel(name));
  return argument && `<${argument.name()}>`;
}

/** A sentence of the service's in which parameters are named as a person writes them, where that differs. */
export function spelledOut(sentence: string, command: Command): string {
  return sentence.replaceAll(
    /`?\b([a-z]+[A-Z]\w*)\b`?(?!:)/g,
    (written, name: string) => spellingOf(name, command) ?? written,
  );
}

/** How the help tells of an option: choices that are fields with a direction are shortened to the fields. */
export function describeOption({ description, argChoices, envVar }: Option): string {
  const isOrder = argChoices?.every((choice) => direction.test(choice));
  const fields = [...new Set(argChoices?.map((choice) => choice.replace(direction, '')))].join(', ');
  return [
    description,
    ...(argChoices ? [isOrder ? `One of ${fields}; with :asc or :desc.` : `One of ${fields}.`] : []),
    ...(envVar ? [`(${envVar})`] : []),
  ].join(' ');
}

/** The value of an option that is a number, from 1 on. */
export function positive(flag: string): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
    throw usageProblem(`${flag} must be a number greater than 0, not "${value}".`);
  };
}

/** The same without a fraction. */
export function positiveInteger(flag: string): (value: string) => number {
  return (value) => {
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
    throw usageProblem(`${flag} must be a whole number from 1 on, not "${value}".`);
  };
}

/** Lines of the help, in the order given, under the word "Examples:". */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
