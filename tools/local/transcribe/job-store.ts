import { Job, nameOf } from './job.ts';
import type { Log } from './log.ts';
import { openRecordStore, type RecordStore } from './record-store.ts';

/** The jobs, with their requests, states and results. */
export type JobStore = RecordStore<Job>;

/** Reads the jobs of a folder. */
export const openJobStore = (folder: string, log: Log): Promise<JobStore> =>
  openRecordStore(folder, { parse: (value) => Job.parse(value), nameOf, log });
