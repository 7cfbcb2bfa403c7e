import { spawnSync } from 'node:child_process';

const alarmsPage = 'docs/operations/alarms.md';

/** Where people read the code of a deployment. */
export type Repository = { readonly url: string; readonly commit: string };

/** The address of the page about alarms in the deployed version. Without a repository, the path of the page in the project. */
export function alarmsPageUrl(repository: Repository | undefined): string {
  return repository === undefined ? alarmsPage : `${repository.url}/blob/${repository.commit}/${alarmsPage}`;
}

/** The commit that is checked out, or `HEAD` outside a git repository: web sites show their default branch for it. */
export function checkedOutCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'HEAD';
}
