import { Argument, type Command, Option } from 'commander';
import type { Parameter } from './parameters.ts';
import { usageProblem } from './problems.ts';

const direction = /:(asc|desc)$/;

/** The option of a parameter: `roomNamePrefix` is `--room-name-prefix`. What it must be, the service says. */
export function optionOf(parameter: Parameter): Option {
  const { name, description, choices, byDefault } = parameter;
  const text = byDefault === undefined ? description : `${description} ${byDefault} if left out.`;
  const option = new Option(`--${kebab(name)} <${placeholderOf(parameter)}>`, text);
  if (parameter.isHeader) option.argParser((value: string) => requireSendable(parameter, value));
  return choices ? option.choices(choices) : option;
}

/** What no header can carry never reaches the service, which says what is wrong with all else. */
function requireSendable({ name }: Parameter, value: string): string {
  try {
    new Headers([[name, value]]);
    return value;
  } catch {
    throw usageProblem(`--${kebab(name)} must be text that a header can carry: visible ASCII characters.`);
  }
}

function placeholderOf({ name, choices, isTime }: Parameter): string {
  if (isTime) return 'time';
  if (choices?.every((choice) => direction.test(choice))) return 'order';
  return kebab(name).split('-').at(-1) ?? 'value';
}

/** Gives a command its parameters: those that must be given as arguments, the others as options, in the words of the command line. */
export function addParameters(command: Command, parameters: readonly Parameter[]): void {
  for (const parameter of parameters) {
    const { name, description, isRequired } = parameter;
    if (isRequired) command.addArgument(new Argument(`<${kebab(name)}>`, description));
    else command.addOption(optionOf(parameter));
  }
  for (const option of command.options) option.description = spelledOut(option.description, command);
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

/** The value of an option that is a number greater than 0. */
export function positive(flag: string): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
    throw usageProblem(`${flag} must be a number greater than 0, not "${value}".`);
  };
}

/** The value of an option that is a whole number from 1 on. */
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
