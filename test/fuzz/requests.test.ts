import path from 'node:path';
import { expect, test } from 'vitest';
import { run, succeed } from '../support/client/run-program.ts';
import { endpoints, organization, token } from '../support/machine.ts';

const { FUZZ_SEED: seed = '1', FUZZ_SECONDS: seconds = '90' } = process.env;
const installation = path.resolve('node_modules/.cache/schemathesis');

/** Installs schemathesis, and checks each file by its hash. Throws if Python or PyPI is missing. */
async function install(): Promise<string> {
  await succeed('python3', ['-m', 'venv', installation], { folder: '.' });
  const pinned = ['--require-hashes', '--only-binary', ':all:', '-r', 'test/fuzz/requirements.txt'];
  const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...pinned];
  await succeed(path.join(installation, 'bin/python'), pip, { folder: '.' });
  return path.join(installation, 'bin/schemathesis');
}

test(`requests that schemathesis makes from the description are answered as it says (seed ${seed})`, async () => {
  const schemathesis = await install();
  const authorization = `Authorization: Bearer ${await token(organization())}`;
  const where = ['docs/openapi.json', '--url', endpoints.apiUrl, '--header', authorization];
  const how = ['--seed', seed, '--max-time', seconds, '--continue-on-failure', '--no-color'];
  const { code, stdout, stderr } = await run(
    schemathesis,
    ['--config-file', 'test/fuzz/schemathesis.toml', 'run', ...where, ...how],
    { folder: '.', env: { SCHEMATHESIS_HOOKS: 'checks', PYTHONPATH: 'test/fuzz', PYTHONDONTWRITEBYTECODE: '1' } },
  );
  process.stdout.write(`${stdout.slice(stdout.indexOf('== SUMMARY'))}\n`);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
});
