/** What SQS knows about the messages of a queue when it decides whose turn it is. A tenant is a message group. */
export type QueueLoad = {
  /** The messages in flight of each tenant. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** How long consumers have recently worked for each tenant, in any unit. */
  readonly processingTime: ReadonlyMap<string, number>;
};

/** The share above which a tenant is noisy. */
const noisyShare = 0.1;
/** A tenant with fewer messages in flight is not noisy by its share of them. */
const fewestInFlight = 30;

/**
 * The noisy tenants of a queue, by the rule of SQS's fair queues
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html): a tenant with
 * more than a tenth of the messages in flight and at least 30 of its own, or with more than a tenth of the processing time.
 */
export function noisyTenants({ inFlight, processingTime }: QueueLoad): ReadonlySet<string> {
  const byConcurrency = aboveShare(inFlight).filter((tenant) => (inFlight.get(tenant) ?? 0) >= fewestInFlight);
  return new Set([...byConcurrency, ...aboveShare(processingTime)]);
}

function aboveShare(amounts: ReadonlyMap<string, number>): string[] {
  const total = [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
  return [...amounts].filter(([, amount]) => amount > noisyShare * total).map(([tenant]) => tenant);
}

/**
 * Chooses the next `count` of the waiting messages: those of quiet tenants first, then those of the noisy tenant with the fewest
 * messages in flight. Messages of equal rank keep their order. Returns their positions.
 */
export function nextInFairOrder(tenants: readonly string[], count: number, load: QueueLoad): number[] {
  const noisy = noisyTenants(load);
  const chosen: number[] = [];
  const waiting = new Map<string, number[]>();
  for (let position = 0; position < tenants.length && chosen.length < count; position++) {
    const tenant = tenants[position] ?? '';
    if (!noisy.has(tenant)) chosen.push(position);
    else if ((waiting.get(tenant)?.length ?? 0) < count)
      waiting.set(tenant, [...(waiting.get(tenant) ?? []), position]);
  }
  const inFlight = new Map(load.inFlight);
  while (chosen.length < count && waiting.size > 0) {
    const [tenant, [position = 0, ...later]] = fewest(waiting, inFlight);
    chosen.push(position);
    inFlight.set(tenant, (inFlight.get(tenant) ?? 0) + 1);
    if (later.length > 0) waiting.set(tenant, later);
    else waiting.delete(tenant);
  }
  return chosen;
}

/** The tenant with the fewest messages in flight, and its positions. The oldest message decides between equals. */
function fewest(
  waiting: ReadonlyMap<string, readonly number[]>,
  inFlight: ReadonlyMap<string, number>,
): readonly [string, readonly number[]] {
  return [...waiting].reduce((best, each) => {
    const difference = (inFlight.get(each[0]) ?? 0) - (inFlight.get(best[0]) ?? 0);
    return difference < 0 || (difference === 0 && (each[1][0] ?? 0) < (best[1][0] ?? 0)) ? each : best;
  });
}
