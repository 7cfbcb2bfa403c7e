import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteRuleCommand,
  DescribeEventBusCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  ListEventBusesCommand,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
  type PutEventsRequestEntry,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import getPort from 'get-port';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BusRule, createEventBus } from '#tools/local/events/event-bus.ts';
import type { RunningServer } from '#tools/local/services/aws-json.ts';
import { startEventBridge } from '#tools/local/services/event-bridge/event-bridge.ts';
import { enabledRules } from '#tools/local/services/event-bridge/event-rules.ts';
import { openRuleStore } from '#tools/local/services/event-bridge/rule-store.ts';
import { accountId, clientSettings, region } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { makeDataFolder } from '../../support/data-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { endpoints } from '../../support/machine.ts';

const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
const entry = (change: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  ...{ EventBusName: 'notices', Source: 'roomscribe', DetailType: 'room.session.ended' },
  Detail: JSON.stringify({ organizationId: 'acme', type: 'room.session.ended' }),
  ...change,
});

/** A queue of its own, and what came into it. */
async function makeQueue() {
  const name = `rule-${randomUUID()}`;
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const events: { readonly [field: string]: unknown }[] = [];
  const receive = async () => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    events.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
    return events;
  };
  return { Arn: `arn:aws:sqs:${region}:${accountId}:${name}`, receive };
}

describe('the local EventBridge', () => {
  let folder: string;
  let server: RunningServer;
  let client: EventBridgeClient;
  let logged: unknown[];
  const stackRules: BusRule[] = [
    { name: 'Stack', bus: 'default', pattern: { source: ['aws.transcribe'] }, targets: [] },
  ];

  const start = async () => {
    const store = await openRuleStore(path.join(folder, 'rules.json'));
    const log = (event: unknown) => logged.push(event);
    const queueUrl = (arn: string) => `${endpoints.sqsUrl}/${accountId}/${arn.split(':').at(-1)}`;
    const bus = createEventBus({
      ...{ rules: stackRules, ownRules: () => enabledRules(store), sqs, queueUrl, onFailure: log },
      invoke: async () => {},
    });
    const deployment = { region, accountId };
    const options = { port: await getPort(), deployment, busNames: ['notices'], stackRules, store, bus, log };
    server = await startEventBridge(options);
    client = new EventBridgeClient(clientSettings(server.url));
  };
  const stop = async () => {
    client.destroy();
    await server.stop();
  };
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
  const putRule = (pattern: object, change: object = {}) =>
    client.send(
      new PutRuleCommand({ Name: 'mine', EventBusName: 'notices', EventPattern: JSON.stringify(pattern), ...change }),
    );
  const target = (...Arns: string[]) =>
    client.send(
      new PutTargetsCommand({
        ...{ Rule: 'mine', EventBusName: 'notices' },
        Targets: Arns.map((Arn, index) => ({ Id: `target-${index}`, Arn })),
      }),
    );

  beforeEach(async () => {
    logged = [];
    folder = await makeDataFolder('roomscribe-events-');
    await start();
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  test('sends events of a bus that match to the queues of a rule, in the envelope of AWS', async () => {
    const queue = await makeQueue();
    await putRule({ source: ['roomscribe'], detail: { organizationId: ['acme'], type: [{ prefix: 'room.' }] } });
    await target(queue.Arn);

    const { Entries, FailedEntryCount } = await put(
      entry({ Time: new Date('2026-11-26T10:00:00.123Z'), Resources: ['one'] }),
      entry({ Detail: '{"organizationId":"other","type":"room.session.ended"}' }),
      entry({ EventBusName: 'default' }),
    );

    expect(FailedEntryCount).toBe(0);
    expect(Entries).toHaveLength(3);
    await eventually(async () => expect(await queue.receive()).toHaveLength(1));
    expect((await queue.receive())[0]).toEqual({
      ...{ version: '0', id: Entries?.[0]?.EventId, 'detail-type': 'room.session.ended', source: 'roomscribe' },
      ...{ account: accountId, time: '2026-11-26T10:00:00Z', region, resources: ['one'] },
      detail: { organizationId: 'acme', type: 'room.session.ended' },
    });
  });

  test('takes a bus by its ARN', async () => {
    const { Arn = '', Name } = await client.send(new DescribeEventBusCommand({ Name: 'notices' }));
    expect([Arn, Name]).toEqual([`arn:aws:events:${region}:${accountId}:event-bus/notices`, 'notices']);
    expect((await put(entry({ EventBusName: Arn }))).FailedEntryCount).toBe(0);
    const { EventBuses = [] } = await client.send(new ListEventBusesCommand({}));
    expect(EventBuses.map((bus) => bus.Name)).toEqual(['default', 'notices']);
  });

  test('refuses single entries, and puts the others', async () => {
    const { Entries = [], FailedEntryCount } = await put(
      entry({ EventBusName: 'other' }),
      entry({ Detail: '{"cut' }),
      entry({ Detail: '[]' }),
      entry({ Source: 'aws.transcribe' }),
      entry({ Source: undefined }),
      entry({ Detail: undefined }),
      entry(),
    );
    expect(FailedEntryCount).toBe(6);
    expect(Entries.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'ResourceNotFoundException',
      ...['MalformedDetail', 'MalformedDetail', 'NotAuthorizedForSourceException'],
      ...['InvalidArgument', 'InvalidArgument', undefined],
    ]);
    expect(Entries.at(-1)?.EventId).toEqual(expect.any(String));
  });

  test('refuses requests with no entry, with eleven, and with 1 MB in all', async () => {
    const refused = (...entries: PutEventsRequestEntry[]) =>
      expect(put(...entries)).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }) as Error);
    const ofBytes = (bytes: number) => {
      const rest = entry({ Detail: '' });
      const known = [rest.Source, rest.DetailType, '{"text":""}'].join('').length;
      return entry({ Detail: JSON.stringify({ text: 'x'.repeat(bytes - known) }) });
    };
    await refused();
    await refused(...Array.from({ length: 11 }, () => entry()));
    await refused(ofBytes(2 ** 19), ofBytes(2 ** 19));
    expect((await put(ofBytes(2 ** 19), ofBytes(2 ** 19 - 1))).FailedEntryCount).toBe(0);
    expect((await put(...Array.from({ length: 10 }, () => entry()))).FailedEntryCount).toBe(0);
  });

  test('keeps rules and targets over a restart, and removes them', async () => {
    const [one, two] = [await makeQueue(), await makeQueue()];
    const { RuleArn } = await putRule({ source: ['roomscribe'] });
    await target(one.Arn, two.Arn);
    await stop();
    await start();
    const { Rules = [] } = await client.send(new ListRulesCommand({ EventBusName: 'notices' }));
    expect(Rules).toEqual([expect.objectContaining({ Name: 'mine', Arn: RuleArn, State: 'ENABLED' })]);
    const Ids = ['target-0'];
    await client.send(new RemoveTargetsCommand({ Rule: 'mine', EventBusName: 'notices', Ids }));
    await put(entry());
    await eventually(async () => expect(await two.receive()).toHaveLength(1));
    expect(await one.receive()).toEqual([]);

    const mine = { Name: 'mine', EventBusName: 'notices' };
    await expect(client.send(new DeleteRuleCommand(mine))).rejects.toThrow(/has targets/);
    await client.send(new RemoveTargetsCommand({ Rule: 'mine', EventBusName: 'notices', Ids: ['target-1'] }));
    await client.send(new DeleteRuleCommand(mine));
    await client.send(new DeleteRuleCommand(mine));
    await expect(client.send(new DescribeRuleCommand(mine))).rejects.toThrow(/does not exist/);
  });

  test('replaces the pattern of a rule and keeps its targets, and sends nothing by a disabled one', async () => {
    const queue = await makeQueue();
    await putRule({ source: ['other'] });
    await target(queue.Arn);
    await put(entry());
    await putRule({ source: ['roomscribe'] }, { State: 'DISABLED' });
    await put(entry());
    await putRule({ source: ['roomscribe'] });
    await put(entry({ Detail: '{"last":true}' }));

    await eventually(async () => expect(await queue.receive()).not.toEqual([]));
    expect((await queue.receive()).map(({ detail }) => detail)).toEqual([{ last: true }]);
  });

  test('a target that fails leaves the others and the call alone', async () => {
    const queue = await makeQueue();
    await putRule({ source: ['roomscribe'] });
    await target(`arn:aws:sqs:${region}:${accountId}:missing-${randomUUID()}`, queue.Arn);

    expect((await put(entry())).FailedEntryCount).toBe(0);

    await eventually(async () => expect(await queue.receive()).toHaveLength(1));
    expect(logged).toEqual([expect.objectContaining({ event: 'rule_target_failed', rule: 'mine' })]);
  });

  test('refuses what works on AWS only, and says so', async () => {
    await expect(putRule({ detail: { n: [{ numeric: ['>', 0] }] } })).rejects.toThrow(
      /local runner does not support the matcher \{"numeric"/,
    );
    await expect(putRule({ source: 'roomscribe' })).rejects.toThrow(/Event pattern is not valid/);
    await expect(putRule({}, { EventPattern: '{' })).rejects.toThrow(/Event pattern is not valid/);
    await expect(putRule({ source: ['a'] }, { ScheduleExpression: 'rate(1 minute)' })).rejects.toThrow(
      /ScheduleExpression/,
    );
    await expect(putRule({ source: ['a'] }, { EventBusName: 'other' })).rejects.toThrow(/Event bus other/);
    await putRule({ source: ['a'] });
    await expect(target(`arn:aws:lambda:${region}:${accountId}:function:mine`)).rejects.toThrow(/queues only/);
    const Targets = [{ Id: 'one', Arn: `arn:aws:sqs:${region}:${accountId}:one`, InputPath: '$.detail' }];
    const transformed = new PutTargetsCommand({ Rule: 'mine', EventBusName: 'notices', Targets });
    await expect(client.send(transformed)).rejects.toThrow(/InputPath/);
    await expect(putRule({ source: ['a'] }, { Name: 'Stack', EventBusName: 'default' })).rejects.toThrow(
      expect.objectContaining({ name: 'ManagedRuleException' }) as Error,
    );
    expect((await client.send(new ListTargetsByRuleCommand({ Rule: 'Stack' }))).Targets).toEqual([]);
  });

  test('a file of rules that cannot be read stops the start', async () => {
    await putRule({ source: ['a'] });
    const file = path.join(folder, 'rules.json');
    expect(await readFile(file, 'utf8')).toContain('mine');
    await writeFile(file, '[{');
    const opened = openRuleStore(file);
    await expect(opened).rejects.toThrow(UserError);
    await expect(opened).rejects.toThrow(/rules\.json cannot be read.*--fresh/);
  });
});

test('the local runner has an EventBridge with the bus of the stack, and rules of a developer get its events', async () => {
  const client = new EventBridgeClient(clientSettings(endpoints.eventBridgeUrl));
  const queue = await makeQueue();
  const [Name, EventBusName] = [`rule-${randomUUID()}`, endpoints.eventBusName];
  const EventPattern = JSON.stringify({ source: ['roomscribe'], detail: { organizationId: [Name] } });
  await client.send(new PutRuleCommand({ Name, EventBusName, EventPattern }));
  await client.send(new PutTargetsCommand({ Rule: Name, EventBusName, Targets: [{ Id: 'one', Arn: queue.Arn }] }));

  const Entries = [entry({ EventBusName, Detail: JSON.stringify({ organizationId: Name }) })];
  await client.send(new PutEventsCommand({ Entries }));

  await eventually(async () => expect(await queue.receive()).toHaveLength(1));
  await client.send(new RemoveTargetsCommand({ Rule: Name, EventBusName, Ids: ['one'] }));
  await client.send(new DeleteRuleCommand({ Name, EventBusName }));
  client.destroy();
});
