import { type BusRule, defaultBus } from '#tools/local/events/event-bus.ts';
import { type JsonObject, unknownMatcher } from '#tools/local/events/pattern.ts';
import { arn, type Deployment } from '#tools/local/template/physical-names.ts';
import type { Operation } from '../aws-json.ts';
import { parsedOperation } from '../parsed-operation.ts';
import { pageOf } from '../queues-and-buckets/pages.ts';
import { ServiceError } from '../service-error.ts';
import { ListRules, ListTargets, OneRule, PutRule, PutTargets, RemoveTargets } from './event-requests.ts';
import type { RuleStore, StoredRule } from './rule-store.ts';

/** Where rules are, and on which buses they can be. */
export type RulesContext = {
  readonly deployment: Pick<Deployment, 'region' | 'accountId'>;
  readonly stackRules: readonly BusRule[];
  readonly store: RuleStore;
  /** The name of a bus, by its name or ARN. Throws if it does not exist. */
  readonly busOf: (nameOrArn: string) => string;
};

/** The rules of a store that are enabled. */
export function enabledRules(store: RuleStore): BusRule[] {
  return store.all().filter(({ isEnabled }) => isEnabled);
}

/** The operations on rules and their targets. Those of the stack can be read only. */
export function ruleOperations(context: RulesContext): Record<string, Operation> {
  const rules = rulesOf(context);
  const refusal = 'ValidationException';
  return {
    PutRule: parsedOperation(refusal, PutRule, async ({ Name, EventBusName, EventPattern, State, Description }) => {
      const bus = context.busOf(EventBusName);
      const rule = { bus, name: Name, pattern: patternOf(EventPattern), description: Description };
      const isEnabled = State === 'ENABLED';
      await rules.change(bus, Name, (existing) => ({ ...rule, isEnabled, targets: existing?.targets ?? [] }));
      return { RuleArn: rules.describe(rules.find(bus, Name)).Arn };
    }),
    DescribeRule: parsedOperation(refusal, OneRule, async ({ Name, EventBusName }) =>
      rules.describe(rules.find(EventBusName, Name)),
    ),
    ListRules: parsedOperation(refusal, ListRules, async ({ EventBusName, NamePrefix, ...page }) => {
      const found = rules.all(EventBusName).filter(({ name }) => name.startsWith(NamePrefix));
      const { items, NextToken } = pageOf(found, page);
      return { Rules: items.map(rules.describe), NextToken };
    }),
    DeleteRule: parsedOperation(refusal, OneRule, async ({ Name, EventBusName }) => {
      await rules.change(EventBusName, Name, (rule) => {
        if (rule && rule.targets.length > 0) throw invalid("Rule can't be deleted since it has targets.");
        return undefined; // as in AWS, the removal of a rule that does not exist succeeds
      });
      return {};
    }),
    ...targetOperations(rules, context.deployment),
  };
}

function targetOperations(rules: Rules, deployment: RulesContext['deployment']): Record<string, Operation> {
  const refusal = 'ValidationException';
  const noFailure = { FailedEntryCount: 0, FailedEntries: [] };
  return {
    PutTargets: parsedOperation(refusal, PutTargets, async ({ Rule, EventBusName, Targets }) => {
      const arns = Targets.flatMap(({ Arn, DeadLetterConfig }) => [Arn, DeadLetterConfig?.Arn ?? Arn]);
      const other = arns.find((each) => !each.startsWith(arn(deployment, 'sqs', '')));
      if (other !== undefined)
        throw invalid(`${other} is not a queue here. The local runner sends to its queues only.`);
      const ids = Targets.map(({ Id }) => Id);
      await rules.change(EventBusName, Rule, (rule = missing(Rule)) => ({
        ...rule,
        targets: [...rule.targets.filter(({ Id }) => !ids.includes(Id)), ...Targets],
      }));
      return noFailure;
    }),
    ListTargetsByRule: parsedOperation(refusal, ListTargets, async ({ Rule, EventBusName }) => ({
      Targets: rules.find(EventBusName, Rule).targets,
    })),
    RemoveTargets: parsedOperation(refusal, RemoveTargets, async ({ Rule, EventBusName, Ids }) => {
      await rules.change(EventBusName, Rule, (rule = missing(Rule)) => ({
        ...rule,
        targets: rule.targets.filter(({ Id }) => !Ids.includes(Id)),
      }));
      return noFailure;
    }),
  };
}

type Rules = ReturnType<typeof rulesOf>;
type Described = Pick<StoredRule, 'name' | 'bus' | 'pattern' | 'isEnabled' | 'description'> & Pick<BusRule, 'targets'>;

function rulesOf({ deployment, stackRules, store, busOf }: RulesContext) {
  const all = (bus: string): Described[] =>
    [...stackRules.map((rule) => ({ ...rule, isEnabled: true, description: undefined })), ...store.all()]
      .filter((rule) => rule.bus === busOf(bus))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    all,
    find: (bus: string, name: string) => all(bus).find((rule) => rule.name === name) ?? missing(name),
    change: async (bus: string, name: string, change: Parameters<RuleStore['change']>[2]) => {
      if (stackRules.some((rule) => rule.bus === busOf(bus) && rule.name === name))
        throw new ServiceError('ManagedRuleException', `The rule ${name} belongs to the stack.`);
      await store.change(busOf(bus), name, change);
    },
    describe: ({ name, bus, pattern, isEnabled, description }: Described) => ({
      Name: name,
      Arn: arn(deployment, 'events', bus === defaultBus ? `rule/${name}` : `rule/${bus}/${name}`),
      EventBusName: bus,
      EventPattern: JSON.stringify(pattern),
      State: isEnabled ? 'ENABLED' : 'DISABLED',
      Description: description,
    }),
  };
}

/** Parses the pattern of a rule. Refuses what AWS refuses, and matchers that work on AWS only. */
function patternOf(text: string): JsonObject {
  const refuse = (reason: string) =>
    new ServiceError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`);
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern)) throw refuse('it is not an object');
  if (Object.keys(pattern).length === 0) throw refuse('it is empty');
  const unknown = unknownMatcher({ ...pattern });
  if (unknown !== undefined) throw refuse(`the local runner does not support the matcher ${unknown}`);
  return { ...pattern };
}

function invalid(message: string): ServiceError {
  return new ServiceError('ValidationException', message);
}

function missing(rule: string): never {
  throw new ServiceError('ResourceNotFoundException', `Rule ${rule} does not exist.`);
}
