import type { Program } from '../client/shell.ts';
import { at } from '../infra/templates.ts';
import { type AwsCommand, readAwsCommand } from './command-line.ts';
import { operationOf, sampleOf } from './models.ts';
import { printed, queried } from './output.ts';

/** Returns the answer to a command, or undefined for a command that it does not know. */
export type Answers = (command: AwsCommand) => unknown;

/**
 * A fake AWS CLI. It rejects what AWS does not have. Other commands get the given answers, or a sample from the model of
 * AWS. It throws if a query finds nothing in a sample.
 */
export function awsCli(answers: Answers): Program {
  return async ({ args, folder }) => {
    const command = await readAwsCommand(args, folder);
    const { service, operation, own } = command;
    const answer = await answers(command);
    if (answer !== undefined) return printed(answer, own);
    if (service === 's3' || operation === 'wait') return '';
    const sample = sampleOf((await operationOf(service, operation)).output);
    const query = own.get('query');
    if (query !== undefined) assertFinds(query, sample);
    return printed(sample, own);
  };
}

/** Throws if a query finds nothing. Ignores filters, because a sample does not pass them. */
function assertFinds(query: string, sample: unknown): void {
  const found = JSON.stringify(queried(query.replaceAll(/\[\?[^\]]*\]/g, '[]'), sample));
  if (found === undefined || found === 'null' || found === '[]') throw new Error(`the query ${query} finds nothing`);
}

/** A resource as `list-stack-resources` returns it. */
type Summary = {
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId: string;
  readonly ResourceType: string;
};

/**
 * The answers of CloudFormation about a stack with these outputs and resources. Resources of nested stacks have ids such
 * as `Workers-StartFunction` and are listed with their stack.
 */
export function stackAnswers(
  outputs: Readonly<Record<string, string>>,
  resources: readonly { readonly id: string; readonly type: string }[] = [],
): Answers {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const summaries = summariesByStack(resources);
  return ({ service, operation, input }) => {
    if (service !== 'cloudformation') return undefined;
    if (operation === 'list-stack-resources') {
      const [, nested = ''] = /^arn:.*:stack\/Roomscribe-(\w+)\//.exec(String(at(input, 'StackName'))) ?? [];
      return { StackResourceSummaries: summaries.get(nested) ?? [] };
    }
    if (operation !== 'describe-stacks') return undefined;
    return { Stacks: [{ Outputs, StackStatus: 'UPDATE_COMPLETE', LastUpdatedTime: '2026-03-02T09:00:00+00:00' }] };
  };
}

/** The resources of each nested stack. The empty name has those of the parent, including the nested stacks. */
function summariesByStack(
  resources: readonly { readonly id: string; readonly type: string }[],
): ReadonlyMap<string, readonly Summary[]> {
  const all = resources.map(({ id, type }) => {
    const [, stack = '', LogicalResourceId = id] = /^(\w+)-(\w+)$/.exec(id) ?? [];
    return { stack, LogicalResourceId, PhysicalResourceId: `Roomscribe-${id}`, ResourceType: type };
  });
  const byStack = new Map<string, Summary[]>(Map.groupBy(all, ({ stack }) => stack));
  const stacks = [...byStack.keys()].filter((stack) => stack !== '');
  const nested = stacks.map((stack) => ({
    LogicalResourceId: stack,
    PhysicalResourceId: `arn:aws:cloudformation:eu-west-1:123456789012:stack/Roomscribe-${stack}/5b6f`,
    ResourceType: 'AWS::CloudFormation::Stack',
  }));
  return byStack.set('', [...(byStack.get('') ?? []), ...nested]);
}
