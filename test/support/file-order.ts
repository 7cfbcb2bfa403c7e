import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createRandom } from '#tools/simulation/random.ts';

/**
 * Runs the files of one project after those of another, in random order within a project. Vitest keeps a worker, with the
 * modules that it has loaded, only while its next file belongs to the same project.
 */
export class OneProjectAtATime extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = this.ctx.config.sequence.seed;
    const shuffled = createRandom(seed, 'files').shuffled(
      files.toSorted((one, other) => compare(idOf(one), idOf(other))),
    );
    return shuffled.toSorted((one, other) => compare(rankOf(one), rankOf(other)));
  }
}

/**
 * The machine project runs first. The tests of erasure run before the other ones of operations, because they read whole tables again and again,
 * and other tests fill these.
 */
function rankOf({ moduleId, project }: TestSpecification): string {
  if (moduleId.includes('/test/operations/erase-')) return '1';
  return project.name === 'machine' ? '2' : `3 ${project.name}`;
}

const idOf = ({ moduleId, project }: TestSpecification) => `${project.name} ${moduleId}`;
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
