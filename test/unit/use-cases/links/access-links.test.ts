import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { LinkToTranscript } from '#shared/domain/links/link-to-transcript.ts';
import type { StoredTranscription, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { LinkNotFound, TranscriptionNotFound } from '#shared/runtime/errors.ts';
import { createAccessLink } from '#shared/use-cases/links/create-access-link.ts';
import { linkedFile } from '#shared/use-cases/links/follow-access-link.ts';
import type { SigningRequest } from '#shared/use-cases/links/ports.ts';
import { revokeAccessLinks } from '#shared/use-cases/links/revoke-access-links.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../../support/operations/records.ts';

const start = Date.parse('2026-03-02T09:00:00.123Z');
const acme = organizationId();

/** Stores in memory, with one ready transcription, a signer that signs for an hour less a minute, and a clock. */
function fixture(facts: Partial<TranscriptionRecord> = {}) {
  const clock = { ms: start };
  const rows = new Map<string, StoredTranscription>();
  const stored = new Map<string, LinkToTranscript>();
  const rowKey = (organization: string, id: string) => `${organization} ${id}`;
  const put = (row: StoredTranscription) => rows.set(rowKey(row.organizationId, row.transcriptionId), row);
  put(transcriptionRecord({ state: 'ready', createdAt: '2026-03-02T08:00:00.000Z', ...facts }));
  const sign = vi.fn(async ({ method, key, validForSeconds }: SigningRequest) =>
    validForSeconds > 3540
      ? undefined
      : { accessLink: `https://s3/${method}/${key}`, expires: clock.ms + validForSeconds * 1000 },
  );
  const reads = { links: 0, transcriptions: 0 };
  const deps = {
    now: () => new Date(clock.ms),
    apiUrl: 'https://api.example',
    transcriptsBucket: 'transcripts',
    signer: { sign },
    transcriptions: {
      find: async (organization: string, id: string) => {
        reads.transcriptions += 1;
        return rows.get(rowKey(organization, id));
      },
      revokeLinks: async (record: TranscriptionRecord, linksValidFrom: string) => {
        const row = rows.get(rowKey(record.organizationId, record.transcriptionId));
        if (row && 'state' in row && row.linksValidFrom === record.linksValidFrom) put({ ...row, linksValidFrom });
      },
    },
    links: {
      add: async (token: string, link: LinkToTranscript) => {
        stored.set(token, link);
      },
      find: async (token: string) => {
        reads.links += 1;
        return stored.get(token);
      },
    },
  };
  const create = (validForSeconds = 43_200, format?: 'vtt', id = uuid(1)) =>
    createAccessLink(deps, acme, id, { validForSeconds, format });
  const tokenOf = async (link = create()) => (await link).accessLink.split('/').at(-1) ?? '';
  return { clock, put, stored, deps, reads, sign, create, tokenOf, open: (token: string) => linkedFile(deps, token) };
}

describe('a new link', () => {
  test.each([1, 60, 3540])('of %i seconds is one of S3, and is not stored', async (seconds) => {
    const { create, stored } = fixture();
    expect(await create(seconds)).toEqual({
      accessLink: `https://s3/GET/generated/acme/${uuid(1)}/${uuid(1)}.md`,
      expires: start + seconds * 1000,
    });
    expect(stored.size).toBe(0);
  });

  test.each([3541, 3600, 43_200])(
    'of %i seconds is one of the API, for exactly as long as was asked',
    async (seconds) => {
      const { create, stored } = fixture();
      const { accessLink, expires } = await create(seconds, 'vtt');
      expect(expires).toBe(start + seconds * 1000);
      expect(accessLink).toMatch(/^https:\/\/api\.example\/v1\/links\/[A-Za-z0-9_-]{43}$/);
      expect([...stored.values()]).toEqual([
        {
          organizationId: acme,
          transcriptionId: uuid(1),
          format: 'vtt',
          createdAt: new Date(start).toISOString(),
          validUntil: new Date(expires).toISOString(),
          linksValidFrom: undefined,
        },
      ]);
    },
  );

  test('never has the token of another', async () => {
    const { create, stored } = fixture();
    for (let index = 0; index < 100; index++) await create();
    expect(stored.size).toBe(100);
  });

  test('is refused for a transcription of another organization', async () => {
    const { deps, stored } = fixture();
    const ofOther = createAccessLink(deps, organizationId('other'), uuid(1), { validForSeconds: 43_200 });
    await expect(ofOther).rejects.toThrow(TranscriptionNotFound);
    expect(stored.size).toBe(0);
  });
});

describe('a link of the API', () => {
  test('opens the file until the millisecond before it expires', async () => {
    const { clock, create, open } = fixture();
    const { accessLink, expires } = await create(43_200, 'vtt');
    const token = accessLink.split('/').at(-1) ?? '';
    for (const at of [start, expires - 1]) {
      clock.ms = at;
      expect((await open(token)).file).toMatchObject({ key: `generated/acme/${uuid(1)}/${uuid(1)}.vtt` });
    }
    for (const at of [expires, expires + 1, expires + 86_400_000]) {
      clock.ms = at;
      await expect(open(token)).rejects.toThrow(LinkNotFound);
    }
  });

  test('opens nothing if it expires while the transcription is read', async () => {
    const { clock, deps, tokenOf, open, create } = fixture();
    const link = await create();
    const token = await tokenOf(Promise.resolve(link));
    clock.ms = link.expires - 1;
    const { find } = deps.transcriptions;
    deps.transcriptions.find = async (...key) => {
      clock.ms += 1;
      return find(...key);
    };
    await expect(open(token)).rejects.toThrow(LinkNotFound);
  });

  test('opens nothing once the transcription is deleted', async () => {
    const { put, tokenOf, open } = fixture();
    const token = await tokenOf();
    put(tombstone());
    await expect(open(token)).rejects.toThrow(LinkNotFound);
  });

  test('opens nothing once the transcript is no longer kept', async () => {
    const { deps, tokenOf, clock } = fixture();
    const token = await tokenOf();
    clock.ms = Date.parse('2026-03-02T20:00:00.000Z');
    await expect(linkedFile({ ...deps, retentionDays: 1 }, token)).resolves.toBeDefined();
    const ofOldTranscript = { ...deps, retentionDays: 0.25 };
    await expect(linkedFile(ofOldTranscript, token)).rejects.toThrow(LinkNotFound);
  });

  test('leads only to the organization that created it', async () => {
    const { put, tokenOf, open } = fixture();
    put(transcriptionRecord({ state: 'ready', organizationId: organizationId('other') }));
    const { link, file } = await open(await tokenOf());
    expect([link.organizationId, file.key.split('/')[1]]).toEqual(['acme', 'acme']);
  });
});

describe('a revocation', () => {
  test('ends every earlier link, and no later one', async () => {
    const { deps, tokenOf, open } = fixture();
    const before = [await tokenOf(), await tokenOf()];
    await revokeAccessLinks(deps, acme, uuid(1));
    const after = await tokenOf(); // in the same millisecond
    for (const token of before) await expect(open(token)).rejects.toThrow(LinkNotFound);
    expect((await open(after)).link.transcriptionId).toBe(uuid(1));
  });

  test('does so again in the same millisecond, and with a clock that is behind', async () => {
    const { clock, deps, tokenOf, open } = fixture();
    for (const ms of [start, start, start - 60_000]) {
      clock.ms = ms;
      const token = await tokenOf();
      await revokeAccessLinks(deps, acme, uuid(1));
      await expect(open(token)).rejects.toThrow(LinkNotFound);
    }
  });

  test('that runs beside another one succeeds, and earlier links are ended', async () => {
    const { deps, tokenOf, open } = fixture();
    const token = await tokenOf();
    await Promise.all([revokeAccessLinks(deps, acme, uuid(1)), revokeAccessLinks(deps, acme, uuid(1))]);
    await expect(open(token)).rejects.toThrow(LinkNotFound);
    await expect(open(await tokenOf())).resolves.toBeDefined();
  });

  test('of another organization, of a deleted transcription or of none changes nothing', async () => {
    const { deps, put, tokenOf, open } = fixture();
    const token = await tokenOf();
    await revokeAccessLinks(deps, organizationId('other'), uuid(1));
    await revokeAccessLinks(deps, acme, uuid(9));
    await expect(open(token)).resolves.toBeDefined();
    put(tombstone());
    await revokeAccessLinks(deps, acme, uuid(1));
    expect(await deps.transcriptions.find(acme, uuid(1))).toEqual(tombstone());
  });
});

describe('guesses', () => {
  test('of 10 000 tokens find nothing, and none costs more than one read', async () => {
    const { tokenOf, open, reads } = fixture();
    const token = await tokenOf();
    reads.transcriptions = 0;
    const near = [...token].map(
      (letter, index) => token.slice(0, index) + (letter === 'A' ? 'E' : 'A') + token.slice(index + 1),
    );
    const random = Array.from({ length: 10_000 - near.length }, () => randomBytes(32).toString('base64url'));
    for (const guess of [...near, ...random]) await expect(open(guess)).rejects.toThrow(LinkNotFound);
    expect(reads).toEqual({ links: 10_000, transcriptions: 0 });
  });

  test.each([
    ['', 'nothing'],
    ['a'.repeat(42), 'too short'],
    ['A'.repeat(44), 'too long'],
    [`${'a'.repeat(42)}b`, 'more than 256 bits'],
    [`${'a'.repeat(42)}=`, 'padded'],
    [`${'a'.repeat(41)}+A`, 'base64, not base64url'],
    [`${'a'.repeat(42)}\nA`, 'with a line break'],
    ['__proto__', 'a name'],
  ])('that cannot be a token cost no read: %j (%s)', async (guess) => {
    const { open, reads } = fixture();
    await expect(open(guess)).rejects.toThrow(LinkNotFound);
    expect(reads).toEqual({ links: 0, transcriptions: 0 });
  });
});
