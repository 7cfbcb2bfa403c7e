import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Job, nameOf } from './job.ts';
import type { Log } from './log.ts';

/** The jobs: in memory for reads, and in one file each on disk, so that they survive the process. */
export type JobStore = {
  get(name: string): Job | undefined;
  all(): Job[];
  save(job: Job): Promise<void>;
  remove(name: string): Promise<void>;
};

/** Reads the jobs of a folder, oldest first. Logs a file that is not a job and does not change it. */
export async function openJobStore(folder: string, log: Log): Promise<JobStore> {
  await mkdir(folder, { recursive: true });
  const jobs = new Map<string, Job>();
  for (const job of await loadJobs(folder, log)) jobs.set(nameOf(job), job);
  const fileOf = (name: string): string => join(folder, `${name}.json`);
  return {
    get: (name) => jobs.get(name),
    all: () => [...jobs.values()],
    async save(job) {
      const name = nameOf(job);
      // Memory first: a second request with the same name must see the job before the file exists.
      jobs.set(name, job);
      // Writes a temporary file and renames it, so that a crash leaves the previous state intact.
      const unfinished = `${fileOf(name)}.tmp`;
      await writeFile(unfinished, JSON.stringify(job));
      await rename(unfinished, fileOf(name));
    },
    async remove(name) {
      jobs.delete(name);
      await rm(fileOf(name), { force: true });
    },
  };
}

async function loadJobs(folder: string, log: Log): Promise<Job[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const jobs = await Promise.all(files.map((file) => loadJob(join(folder, file), log)));
  return jobs.filter((job) => job !== undefined).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

async function loadJob(file: string, log: Log): Promise<Job | undefined> {
  try {
    return Job.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    log('transcribe_job_file_unreadable', { file });
    return undefined;
  }
}
