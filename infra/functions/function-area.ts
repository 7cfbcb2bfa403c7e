import { type CfnStack, NestedStack, type Stack } from 'aws-cdk-lib';

/**
 * A nested stack for the functions of one area of the service. It holds only what can be made again: functions, their
 * roles, logs and canaries. Tables, buckets, queues and routes stay in the parent, so that a function can move to another
 * area and nothing that holds data is replaced.
 */
export class FunctionArea extends NestedStack {
  /** `id` is also the stack's logical id, and so a part of the names of its functions. */
  constructor(scope: Stack, id: string) {
    super(scope, id, { description: `Functions of ${scope.stackName}: ${id}` });
    (this.nestedStackResource as CfnStack).overrideLogicalId(id);
  }
}
