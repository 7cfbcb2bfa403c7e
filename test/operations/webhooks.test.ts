import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { webhooksOf } from '#operations/webhooks/stored.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { deliveryKey, webhookKey } from '#shared/storage/webhooks/rows.ts';
import { endpoints, organization } from '../support/machine.ts';
import { addWebhook, findEverywhere } from '../support/operations/erasure.ts';
import { fakeCloudFormation, fakeCognito } from '../support/operations/fake-cognito.ts';
import { outputsOf, poolOutputs } from '../support/operations/stage-outputs.ts';

// The shared local runner as stage dev, with a user pool.

const stack = { ApiUrl: endpoints.apiUrl, ...outputsOf(endpoints), ...poolOutputs };
const stores = openStores(endpoints);
const { tables } = endpoints as unknown as { readonly tables: Parameters<typeof webhooksOf>[0]['tables'] };
let cognito: ReturnType<typeof fakeCognito>;
let acme: { readonly name: string; readonly id: OrganizationId };

function run(...args: readonly string[]): Promise<string> {
  return runOrganization([...args, '--stage', 'dev'], {
    cloudFormation: fakeCloudFormation('Roomscribe-dev', stack),
    cognito: cognito.cognito,
    openStores: () => stores,
    terminal: { show: () => {}, end: () => {}, print: () => {} },
    askSecret: async () => undefined,
  });
}

const problemOf = (...args: readonly string[]) => run(...args).catch(({ message }: Error) => message);
const idsOf = async (id: OrganizationId) =>
  (await webhooksOf({ ...stores, tables } as Parameters<typeof webhooksOf>[0], id)).map(({ webhookId }) => webhookId);

beforeEach(async () => {
  cognito = fakeCognito();
  const name = organization();
  const created = await run('create', name);
  acme = { name, id: OrganizationId.parse(/organization id {2}(\S+)/.exec(created)?.[1]) };
});

describe('webhooks', () => {
  test('lists the webhooks of the organization, without queries of their addresses', async () => {
    const webhookId = await addWebhook(acme.id);
    await addWebhook(organization());
    const list = await run('webhooks', acme.name);
    expect(list).toMatch(new RegExp(`^${webhookId}\n {2}url {15}https://hooks\\.example/in\\?…\n`));
    expect(list).toMatch(/^ {2}types +all\n {2}signature +standard\n {2}state +disabled by its owner\n {2}created/m);
    expect(list).toMatch(/waiting +0$/);
    expect(list).not.toMatch(/token|whsec_|failing|parked|replay/);
  });

  test('shows since when one fails, until when it is parked, and how many deliveries wait', async () => {
    const webhookId = await addWebhook(acme.id, { url: 'https://hooks.example/in' });
    const webhook = { organizationId: acme.id, webhookId };
    const times = { failing: '2026-11-20T09:00:00.000Z', parked: '2999-11-20T09:10:00.000Z' };
    await stores.documents.send(
      new UpdateCommand({
        TableName: tables.webhooks,
        Key: webhookKey(webhook),
        UpdateExpression: 'SET failingSince = :failing, parkedUntil = :parked, disabledBy = :by',
        ExpressionAttributeValues: { ':failing': times.failing, ':parked': times.parked, ':by': 'service' },
      }),
    );
    for (const noticeKey of ['a', 'b'])
      await stores.documents.send(
        new UpdateCommand({
          TableName: tables.webhookDeliveries,
          Key: deliveryKey(webhook, noticeKey),
          UpdateExpression: `SET ${attributeNames.dueKey} = :due`,
          ExpressionAttributeValues: { ':due': `0#2999-01-01T00:00:00.000Z#${noticeKey}` },
        }),
      );
    const list = await run('webhooks', acme.name);
    expect(list).toMatch(/^ {2}url +https:\/\/hooks\.example\/in$/m);
    expect(list).toContain('disabled by the service');
    expect(list).toMatch(new RegExp(`failing since +${times.failing}\n {2}parked until +${times.parked}\n`));
    expect(list).toMatch(/waiting +2$/);
  });

  test('says how to create one if there is none', async () => {
    expect(await run('webhooks', acme.name)).toBe(
      `${acme.name} has no webhooks. It creates them by the API: POST /v1/webhooks`,
    );
  });
});

describe('remove-webhook', () => {
  test('removes one webhook of the organization, and none of another', async () => {
    const [webhookId, kept] = [await addWebhook(acme.id), await addWebhook(acme.id)];
    const other = organization();
    const theirs = await addWebhook(other);
    expect(await run('remove-webhook', acme.name, webhookId, '--yes')).toContain(
      `Removed ${webhookId}, which called https://hooks.example/in?….`,
    );
    expect(await idsOf(acme.id)).toEqual([kept]);
    for (const id of [webhookId, theirs, randomUUID()])
      expect(await problemOf('remove-webhook', acme.name, id, '--yes')).toContain(
        `has no webhook ${id}. To list its webhooks:\n  npm run organization -- webhooks ${acme.name} --stage dev`,
      );
    expect(await idsOf(OrganizationId.parse(other))).toEqual([theirs]);
  });
});

describe('delete', () => {
  test('says which webhooks are sent notices, and removes them with the organization, but keeps its notices', async () => {
    const webhookId = await addWebhook(acme.id);
    const line = `  ${webhookId}  https://hooks.example/in?…\n`;
    expect(await problemOf('delete', acme.name)).toContain(
      `It also removes these webhooks, to which nothing is sent from then on:\n${line}To confirm, add --yes.`,
    );
    expect(await idsOf(acme.id)).toEqual([webhookId]);
    expect(await run('delete', acme.name, '--yes')).toContain(`Removed these webhooks. Calls that have begun`);
    expect(await idsOf(acme.id)).toEqual([]);
    const left = (await findEverywhere(webhookId)).map((each) => each.slice(0, each.indexOf(' ')));
    expect(left).toEqual(expect.arrayContaining(['notices', 'webhookDeliveries']));
  });
});
