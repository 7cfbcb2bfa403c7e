import type { Program } from '../shell.ts';
import { type AwsCommand, readAwsCommand } from './command-line.ts';
import { operationOf, sampleOf } from './models.ts';
import { printed, queried } from './output.ts';

/** The answer to a command; undefined for one that it knows nothing of. */
export type Answers = (command: AwsCommand) => unknown;

/**
 * Stands in for the AWS CLI: refuses what AWS does not have, answers what it is told to, and anything else with what AWS's
 * model says that the answer looks like. A query that finds nothing in such an answer is an error.
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

/** Filters are left out: a made-up answer has no reason to pass them. */
function assertFinds(query: string, sample: unknown): void {
  const found = JSON.stringify(queried(query.replaceAll(/\[\?[^\]]*\]/g, '[]'), sample));
  if (found === undefined || found === 'null' || found === '[]') throw new Error(`the query ${query} finds nothing`);
}

/** What CloudFormation says of a stack with these outputs and resources. */
export function stackAnswers(
  outputs: Readonly<Record<string, string>>,
  resources: readonly { readonly id: string; readonly type: string }[] = [],
): Answers {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const StackResourceSummaries = resources.map(({ id, type }) => ({
    LogicalResourceId: id,
    PhysicalResourceId: `Roomscribe-${id}`,
    ResourceType: type,
  }));
  return ({ service, operation }) => {
    if (service !== 'cloudformation') return undefined;
    if (operation === 'list-stack-resources') return { StackResourceSummaries };
    if (operation !== 'describe-stacks') return undefined;
    return { Stacks: [{ Outputs, StackStatus: 'UPDATE_COMPLETE', LastUpdatedTime: '2026-03-02T09:00:00+00:00' }] };
  };
}
