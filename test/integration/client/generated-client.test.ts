import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run, succeed } from '../../support/client/run-program.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { endpoints, organization, token } from '../../support/machine.ts';

// Tests a client that a third-party generator (oazapfts) generates from the description, as users may do.

const root = process.cwd();
const program = (name: string) => path.join(root, 'node_modules/.bin', name);

const usage = `
import { createTranscription, defaults, listTranscriptions, type Transcription } from './api.ts';

const [baseUrl = '', token = ''] = process.argv.slice(2);
defaults.baseUrl = baseUrl;
defaults.headers = { authorization: \`Bearer \${token}\` };

const page = await listTranscriptions({ state: 'in_progress', sortBy: 'startDate:asc', limit: 1 });
if (page.status !== 200) throw new Error(page.data.message);
const results: Transcription[] = page.data.results;
const cursor: string | null = page.data.cursor;

const refused = await createTranscription({ recordingId: crypto.randomUUID() });
const code: 'recording_not_found' | undefined = refused.status === 404 && 'code' in refused.data ? refused.data.code : undefined;

const wrong = await listTranscriptions({ limit: 0 });
const issues = wrong.status === 400 && 'issues' in wrong.data ? wrong.data.issues?.map((issue) => issue.path) : undefined;
console.log(JSON.stringify({ listed: results.map((each) => each.transcriptionId), cursor, code, issues }));
`;

const wrongUses = `
import { createAccessLink, listTranscriptions } from './api.ts';
// @ts-expect-error unknown order
listTranscriptions({ sortBy: 'endDate:asc' });
// @ts-expect-error a name is a string
listTranscriptions({ roomName: 1 });
// @ts-expect-error unknown format
createAccessLink('id', { format: 'pdf' });
// @ts-expect-error the body of an answer depends on its status
listTranscriptions({}).then(({ data }) => data.results);
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-generated-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await writeFile(path.join(folder, 'main.ts'), usage);
  await writeFile(path.join(folder, 'wrong-uses.ts'), wrongUses);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: ['node'],
    rewriteRelativeImportExtensions: true,
    outDir: 'out',
    rootDir: '.',
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const description = path.join(root, 'docs/openapi.json');
  await succeed(program('oazapfts'), [description, 'api.ts', '--futureStripLegacyMethods'], { folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a generated client compiles, lists transcriptions, and distinguishes errors by their codes', async () => {
  const acme = organization();
  const session = liveSession(acme);
  await sendToRoomEvents([session.started()]);
  await known(acme, session.path);
  const compiled = await run(program('tsc'), [], { folder });
  expect(compiled.stdout).toBe('');

  const { stdout } = await succeed(process.execPath, ['out/main.js', endpoints.apiUrl, await token(acme)], { folder });

  expect(JSON.parse(stdout)).toEqual({
    listed: [session.transcriptionId],
    cursor: null,
    code: 'recording_not_found',
    issues: ['limit'],
  });
});

it('a generated client names each operation as the contract does, with types for everything', async () => {
  const generated = await readFile(path.join(folder, 'api.ts'), 'utf8');
  const operations = [...generated.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  const { endpoints: ours } = await import('#shared/contracts/endpoints.ts');
  const open = ['followAccessLink', 'followAccessLinkHead', 'getApiDescription', 'receiveHook'];
  expect(operations.toSorted()).toEqual([...Object.keys(ours), ...open].toSorted());
  expect(generated.match(/^(?!\s*\/\*\*).*\b(any|unknown)\b.*$/gm)).toBeNull();
});
