import * as z from 'zod';

const Name = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'must have 1 to 64 letters, digits or any of .-_');
const BusName = z.string().min(1).max(1600).default('default');
const Limit = z.int().min(1).max(100).default(100);
const NextToken = z.optional(z.string());

const Entry = z.object({
  Source: z.optional(z.string()),
  DetailType: z.optional(z.string()),
  Detail: z.optional(z.string()),
  EventBusName: BusName,
  Resources: z.array(z.string()).default([]),
  /** Epoch seconds. */
  Time: z.optional(z.number()),
  TraceHeader: z.optional(z.string()),
});
/** One entry of PutEvents. What it lacks fails this entry only. */
export type Entry = z.output<typeof Entry>;
/** The request of PutEvents. */
export const PutEvents = z.object({ Entries: z.array(Entry).min(1).max(10) });

/** The request of PutRule. Strict, so that nobody relies on what does not work here. */
export const PutRule = z.strictObject({
  Name,
  EventBusName: BusName,
  EventPattern: z.string().max(4096),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Description: z.optional(z.string().max(512)),
  RoleArn: z.optional(z.string()),
  Tags: z.optional(z.unknown()),
});

/** One target of a rule. Strict: the local runner changes no event on its way. */
export const Target = z.strictObject({
  Id: Name,
  Arn: z.string().min(1).max(1600),
  DeadLetterConfig: z.optional(z.strictObject({ Arn: z.string() })),
  RetryPolicy: z.optional(z.unknown()),
  RoleArn: z.optional(z.string()),
});
/** The request of PutTargets. */
export const PutTargets = z.object({ Rule: Name, EventBusName: BusName, Targets: z.array(Target).min(1).max(100) });
/** The request of RemoveTargets. */
export const RemoveTargets = z.object({ Rule: Name, EventBusName: BusName, Ids: z.array(Name).min(1).max(100) });
/** The request of DescribeRule and of DeleteRule. */
export const OneRule = z.object({ Name, EventBusName: BusName });
/** The request of ListRules. */
export const ListRules = z.object({ EventBusName: BusName, NamePrefix: z.string().default(''), Limit, NextToken });
/** The request of ListTargetsByRule. */
export const ListTargets = z.object({ Rule: Name, EventBusName: BusName });
/** The request of DescribeEventBus. */
export const OneBus = z.object({ Name: BusName });
/** The request of ListEventBuses. */
export const ListBuses = z.object({ NamePrefix: z.string().default(''), Limit, NextToken });
