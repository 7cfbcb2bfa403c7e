import { inspectMedia } from '#shared/adapters/media/inspect-media.ts';
import type { MediaFile } from '#shared/adapters/media/media-source.ts';
import type { Preparation } from '#shared/adapters/media/preparation.ts';
import { prepareMedia } from '#shared/adapters/media/prepare-media.ts';
import { type MediaLimits, type MediaPlan, mixedFileLimits, planMedia } from '#shared/domain/media/media-plan.ts';
import type { PreparedPiece } from '#shared/domain/media/prepared-piece.ts';
import { memoryTarget } from './media-files.ts';

type PreparePlan = Extract<MediaPlan, { kind: 'prepare' }>;

/** The plan of a file that must be prepared. */
async function preparePlan(file: MediaFile, limits: Partial<MediaLimits>, track?: number): Promise<PreparePlan> {
  const { facts } = await inspectMedia(file, new AbortController().signal);
  const plan = planMedia(facts, { ...mixedFileLimits, ...limits }, track);
  if (plan.kind !== 'prepare') throw new Error(`The file is not prepared: ${JSON.stringify(plan)}`);
  return plan;
}

/** Inspects, plans and prepares a file into memory. */
export async function prepared(file: MediaFile, limits: Partial<MediaLimits>, overrides: Partial<Preparation> = {}) {
  const plan = overrides.plan ?? (await preparePlan(file, limits, overrides.track));
  const pieces: (PreparedPiece & { content: Uint8Array | undefined })[] = [];
  const targets = new Map<number, ReturnType<typeof memoryTarget>>();
  const outcome = await prepareMedia({
    files: [{ file, offset: 0 }],
    plan,
    leaveOutSilence: limits.leaveOutSilence ?? false,
    jobSeconds: limits.jobSeconds ?? mixedFileLimits.jobSeconds,
    done: new Set(),
    target(index) {
      const target = memoryTarget();
      targets.set(index, target);
      return target;
    },
    async onPiece(piece) {
      pieces.push({ ...piece, content: targets.get(piece.index)?.content });
    },
    hasTimeLeft: () => true,
    signal: new AbortController().signal,
    ...overrides,
  });
  return { plan, pieces, outcome, targets };
}
