import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { hooksFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { answering, type Call } from '../../support/client/fake-client.ts';
import { fakeCloudFormation, fakeCognito } from '../../support/operations/fake-cognito.ts';
import { emptyStores, stageOutputs } from '../../support/operations/stage-outputs.ts';

const acme = 'acme' as never;
const connectionId = 'c'.repeat(43);
const connection = {
  ...{ connectionId, organizationId: 'acme', platform: 'daily', settings: {} },
  createdAt: '2026-11-01T09:00:00.000Z',
};
const folder = hooksFolder({ organizationId: acme, connectionId });
const keyAt = (arrivedAt: string, request = 'request') => `${folder}${arrivedAt}-${request}.json`;

let keys: string[];
let listed: string[];
let sent: Call[];
let shown: (readonly [what: string, done: number, total: number])[];
let ended: number;

beforeEach(() => {
  [keys, listed, sent, shown, ended] = [[], [], [], [], 0];
});

/** Runs `replay` on prod, whose bucket lists at most a thousand keys at once, like S3. */
async function replay(...args: readonly string[]): Promise<string> {
  const stores = emptyStores();
  answering(stores.documents, ({ name }) => (name === 'GetCommand' ? { Item: connection } : {}));
  answering(stores.s3 satisfies S3Client, ({ input }) => {
    const { Prefix = '', ContinuationToken = '' } = input as Readonly<Record<string, string>>;
    listed.push(ContinuationToken);
    const found = keys.filter((key) => key.startsWith(Prefix) && key > ContinuationToken).sort();
    const page = found.slice(0, 1000);
    const more = found.length > page.length && { IsTruncated: true, NextContinuationToken: page.at(-1) };
    return { Contents: page.map((Key) => ({ Key })), ...more };
  });
  answering(stores.sqs satisfies SQSClient, (call) => {
    sent.push(call);
    return {};
  });
  return runOrganization(['replay', 'acme', connectionId, '--stage', 'prod', ...args], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', stageOutputs),
    cognito: fakeCognito().cognito,
    openStores: () => stores,
    terminal: {
      show: (...step) => shown.push(step),
      end: () => {
        ended += 1;
      },
      print: () => {},
    },
    askSecret: async () => undefined,
  });
}

type Entry = { readonly MessageBody: string; readonly MessageGroupId: string };
const entriesOf = ({ input }: Call) => input.Entries as readonly Entry[];
const sentKeys = () => sent.flatMap(entriesOf).map(({ MessageBody }) => JSON.parse(MessageBody).key);

describe('replay', () => {
  test('sends every stored webhook of the connection once, page by page, and shows how far it is', async () => {
    const start = Date.parse('2026-11-20T00:00:00.000Z');
    const own = Array.from({ length: 2500 }, (_, index) => keyAt(new Date(start + index).toISOString()));
    const others = [`${folder.slice(0, -1)}x/2026-11-20T00:00:00.000Z-a.json`, 'hooks/rival/x/y.json'];
    keys = [...others, ...own.toReversed()];

    expect(await replay()).toBe(`Sent 2500 of 2500 stored webhooks of ${connectionId} to be translated again.`);
    expect(sentKeys().toSorted()).toEqual(own);
    expect(shown).toEqual([1000, 2000, 2500].map((done) => ['Sending webhooks', done, 2500]));
    expect([listed.length, ended]).toEqual([6, 1]); // twice three pages
    for (const call of sent) {
      expect(call.input.QueueUrl).toBe('https://sqs.example.com/platformHooks');
      for (const { MessageBody, MessageGroupId } of entriesOf(call)) {
        expect(MessageGroupId).toBe(connectionId);
        expect(JSON.parse(MessageBody)).toEqual({ organizationId: 'acme', connectionId, key: expect.any(String) });
      }
    }
  });

  test.each([
    [[], 4],
    [['--from', '2026-11-20T10:00:00.000Z'], 3],
    [['--to', '2026-11-20T10:00:00.000Z'], 2],
    [['--from', '2026-11-20T10:00:00.001Z', '--to', '2026-11-20T23:59:59.999Z'], 1],
    [['--from', '2026-11-20T11:00:00+01:00', '--to', '2026-11-20T11:00:00+01:00'], 1],
    [['--from', '2026-11-21'], 1],
    [['--to', '2026-11-20'], 0],
  ])('with %j sends %d of four', async (args, count) => {
    const times = ['20T09:59:59.999Z', '20T10:00:00.000Z', '20T15:00:00.000Z', '21T00:00:00.000Z'];
    keys = times.map((time) => keyAt(`2026-11-${time}`));
    const report = await replay(...args);
    expect(sentKeys()).toHaveLength(count);
    if (count > 0) expect(report).toContain(`Sent ${count} of 4`);
    else expect(report).toMatch(/None of the 4 stored webhooks of .* arrived in this time\. .*hookRetentionDays/);
  });

  test('says that nothing is stored, and for how long webhooks are', async () => {
    expect(await replay()).toMatch(/^No webhook of c+ is stored\. .*hookRetentionDays/);
    expect([sent, shown]).toEqual([[], []]);
  });

  test.each([
    [
      ['--from', 'yesterday'],
      '--from must be a date or a time with a zone, such as 2026-11-23T09:00:00Z, not "yesterday".',
    ],
    [['--to', '2026-11-23T09:00'], '--to must be a date or a time with a zone'],
    [['--to', '2026-13-01'], '--to must be a date or a time with a zone'],
    [['--from', '2026-11-23', '--to', '2026-11-22'], '--from must not be later than --to.'],
  ])('refuses %j', async (args, problem) => {
    const error: unknown = await replay(...args).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(problem);
    expect(listed).toEqual([]);
  });
});
