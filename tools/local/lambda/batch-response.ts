/**
 * The ids of the failed messages of a batch, by the function's response.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting:
 * null, an empty response and a null list mean success. A missing, null, empty or unknown id fails the whole batch.
 */
export function failedIds(payload: string, batchIds: readonly string[]): ReadonlySet<string> {
  const none = new Set<string>();
  const all = new Set(batchIds);
  const answer: unknown = JSON.parse(payload);
  if (answer === null) return none;
  if (!isObject(answer)) return all;
  const failures = answer.batchItemFailures;
  if (failures === undefined || failures === null) return none;
  if (!Array.isArray(failures)) return all;
  const ids = failures.map((failure: unknown) => (isObject(failure) ? failure.itemIdentifier : undefined));
  const areKnown = ids.every((id): id is string => typeof id === 'string' && all.has(id));
  return areKnown ? new Set(ids) : all;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
