import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { bulkDeleteCeiling } from '#shared/storage/organization/ceilings.ts';
import { keyRateLimiter, rateLimiter } from '#shared/storage/organization/rate-limits.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import { capacityMeter } from '../../support/storage/capacity-meter.ts';

const tableName = endpoints.tables.rateLimits ?? '';
const documents = DynamoDBDocumentClient.from(dynamodb);
const start = Date.parse('2026-03-01T10:00:30.500Z');
const limiter = (pointsPerMinute: number, now = start) =>
  rateLimiter(documents, tableName, { pointsPerMinute, personPointsPerMinute: 2, now: () => now });
const newOrganization = () => ({ organizationId: OrganizationId.parse(organization()) });
const newId = () => newOrganization().organizationId;

test('spending succeeds until a request costs more points than are left', async () => {
  const id = newOrganization();
  const { spend } = limiter(5);
  const resetsAt = Date.parse('2026-03-01T10:01:00Z') / 1000;
  expect(await spend(id, 3)).toEqual({ isExceeded: false, limit: 5, remaining: 2, resetsAt });
  expect(await spend(id, 3)).toEqual({ isExceeded: true, limit: 5, remaining: 2, resetsAt });
  expect(await spend(id, 2)).toEqual({ isExceeded: false, limit: 5, remaining: 0, resetsAt });
  expect(await spend(id, 1)).toEqual({ isExceeded: true, limit: 5, remaining: 0, resetsAt });
});

test('zero points are left, never fewer, if the limit is lowered within a minute', async () => {
  const id = newOrganization();
  await limiter(10).spend(id, 8);
  expect(await limiter(5).spend(id, 1)).toMatchObject({ isExceeded: true, limit: 5, remaining: 0 });
});

test('all points are available again in the next minute, and not before', async () => {
  const id = newOrganization();
  await limiter(3).spend(id, 3);
  expect(await limiter(3, Date.parse('2026-03-01T10:00:59.999Z')).spend(id, 1)).toMatchObject({ isExceeded: true });
  expect(await limiter(3, Date.parse('2026-03-01T10:01:00Z')).spend(id, 3)).toMatchObject({ remaining: 0 });
});

test('simultaneous requests never spend more than the limit', async () => {
  const id = newOrganization();
  const limit = 60;
  const asked = Array.from({ length: 150 }, (_, index) => (index % 3) + 1);
  const answers = await Promise.all(
    asked.map(async (points) => ({ points, ...(await limiter(limit).spend(id, points)) })),
  );
  const taken = answers.filter(({ isExceeded }) => !isExceeded).reduce((sum, { points }) => sum + points, 0);
  expect(taken).toBe(limit); // requests for one point use what the larger ones leave
  expect(answers.every(({ remaining }) => remaining >= 0)).toBe(true);
});

test('each organization has its own points', async () => {
  const [one, other] = [newOrganization(), newOrganization()];
  await limiter(3).spend(one, 3);
  expect(await limiter(3).spend(one, 1)).toMatchObject({ isExceeded: true });
  expect(await limiter(3).spend(other, 3)).toMatchObject({ isExceeded: false, remaining: 0 });
});

test('spending costs one call and one write unit, and a refusal that is already known costs none', async () => {
  const id = newOrganization();
  const { documents, measure } = capacityMeter({
    region: endpoints.region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    endpoint: endpoints.dynamodbUrl,
  });
  const functionOf = () =>
    rateLimiter(documents, tableName, { pointsPerMinute: 4, personPointsPerMinute: 2, now: () => start });
  const { spend } = functionOf();
  expect(await measure(() => spend(id, 3))).toEqual({ writes: 1, reads: 0, calls: 1 });
  expect(await measure(() => spend(id, 1))).toEqual({ writes: 1, reads: 0, calls: 1 });
  expect(await measure(() => spend(id, 1))).toEqual({ writes: 0, reads: 0, calls: 0 });
  const another = functionOf();
  const refused = await measure(() => another.spend(id, 1)); // DynamoDB bills a rejected write and does not report it
  expect(refused).toMatchObject({ reads: 0, calls: 1 });
  expect(await measure(() => another.spend(id, 1))).toEqual({ writes: 0, reads: 0, calls: 0 });
});

test('spending rethrows the error if the count cannot be reached', async () => {
  const failing = { send: async () => Promise.reject(new Error('gone')) };
  const { spend } = rateLimiter(failing as never, tableName, { pointsPerMinute: 5, personPointsPerMinute: 2 });
  await expect(spend(newOrganization(), 1)).rejects.toThrow('gone');
});

test('the count of a minute expires within hours', async () => {
  const acme = newOrganization();
  await limiter(3).spend(acme, 1);
  const Key = { ...acme, minute: '2026-03-01T10:00:00.000Z' };
  const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key }));
  expect(Item).toEqual({ ...Key, points: 1, expiresAt: Date.parse('2026-03-01T11:01:00Z') / 1000 });
});

test('a key has its own count, apart from other keys, other operations and an organization of the same name', async () => {
  const id = newId();
  const keys = keyRateLimiter(documents, tableName, { now: () => start });
  await limiter(1).spend({ organizationId: id }, 1);
  expect(await keys.count('receive-hook', id, 2)).toMatchObject({ isExceeded: false, limit: 2, remaining: 1 });
  expect(await keys.count('receive-hook', id, 2)).toMatchObject({ isExceeded: false, remaining: 0 });
  expect(await keys.count('receive-hook', id, 2)).toMatchObject({ isExceeded: true, remaining: 0 });
  expect(await keys.count('follow-link', id, 2)).toMatchObject({ isExceeded: false, remaining: 1 });
  expect(await keys.count('receive-hook', `${id}-2`, 2)).toMatchObject({ isExceeded: false, remaining: 1 });
});

describe('the points of a person', () => {
  const person = (personId: string, role = 'reader' as const) => ({ person: { personId, role } });

  test('are neither those of the organization nor those of another person, and a role of both has the same', async () => {
    const acme = newOrganization();
    const spend = (who: object, points: number) => limiter(3).spend({ ...acme, ...who }, points);
    expect(await spend({}, 3)).toMatchObject({ isExceeded: false, limit: 3, remaining: 0 });
    expect(await spend(person('anna'), 2)).toMatchObject({ isExceeded: false, limit: 2, remaining: 0 });
    expect(await spend({ person: { personId: 'anna', role: 'editor' } }, 1)).toMatchObject({
      isExceeded: true,
      limit: 2,
    });
    expect(await spend(person('ben'), 1)).toMatchObject({ isExceeded: false, limit: 2, remaining: 1 });
    expect(await spend({}, 1)).toMatchObject({ isExceeded: true, limit: 3 });
  });

  test('are apart in each organization', async () => {
    const [one, other] = [newOrganization(), newOrganization()];
    await limiter(3).spend({ ...one, ...person('anna') }, 2);
    expect(await limiter(3).spend({ ...other, ...person('anna') }, 2)).toMatchObject({ isExceeded: false });
  });
});

describe('the ceiling of bulk deletes', () => {
  const ceiling = (idsPerHour: number, now = start) =>
    bulkDeleteCeiling(documents, tableName, { idsPerHour, now: () => now });
  const resetsAt = Date.parse('2026-03-01T11:00:00Z') / 1000;

  test('accepts ids of an hour until a request has more than are left, apart from the points', async () => {
    const id = newId();
    await limiter(5).spend({ organizationId: id }, 5);
    const taken = async (ids: number, now?: number) => (await ceiling(10, now).take(id, ids)).allowance;
    expect(await taken(7)).toEqual({ isExceeded: false, limit: 10, remaining: 3, resetsAt });
    expect(await taken(4)).toEqual({ isExceeded: true, limit: 10, remaining: 3, resetsAt });
    expect(await taken(3)).toEqual({ isExceeded: false, limit: 10, remaining: 0, resetsAt });
    expect(await taken(1, Date.parse('2026-03-01T10:59:59.999Z'))).toMatchObject({ isExceeded: true });
    expect(await taken(10, Date.parse('2026-03-01T11:00:00Z'))).toMatchObject({ isExceeded: false, remaining: 0 });
    const Key = { organizationId: id, minute: 'bulk-delete#2026-03-01T10:00:00.000Z' };
    const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key }));
    expect(Item).toEqual({ ...Key, points: 10, expiresAt: resetsAt + 3600 });
  });

  test('is never exceeded by simultaneous requests', async () => {
    const id = newId();
    const asked = Array.from({ length: 60 }, (_, index) => (index % 3) + 1);
    const answers = await Promise.all(
      asked.map(async (ids) => ({ ids, ...(await ceiling(40).take(id, ids)).allowance })),
    );
    const accepted = answers.filter(({ isExceeded }) => !isExceeded).reduce((sum, { ids }) => sum + ids, 0);
    expect(accepted).toBe(40);
  });

  test('has the ids of a request again that gives them back', async () => {
    const id = newId();
    const { giveBack } = await ceiling(10).take(id, 10);
    expect((await ceiling(10).take(id, 1)).allowance.isExceeded).toBe(true);
    await giveBack();
    expect((await ceiling(10).take(id, 10)).allowance).toMatchObject({ isExceeded: false, remaining: 0 });
  });
});
