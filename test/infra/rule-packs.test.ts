import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { type StageConfig, stageNames } from '#infra/stages.ts';
import { everySetting, withStack } from '../support/templates.ts';

type Finding = { readonly rule: string; readonly place: string };
type Acknowledgment = Finding & { readonly reason: string };

/** Findings of both packs: the whole of them, and those that nothing in the code gives a reason for. */
function checked(stage: string, config: Partial<StageConfig> = {}) {
  return withStack(stage, { config }, (stack) => {
    const findingsOf = (pack: NagPack): Finding[] =>
      pack
        .validateScope(stack)
        .violations.flatMap(({ ruleName, violatingResources }) =>
          violatingResources.map(({ constructPath }) => ({ rule: ruleName, place: String(constructPath) })),
        );
    const packs = () => [new AwsSolutionsChecks(), new ServerlessChecks()];
    const acknowledgments: Acknowledgment[] = stack.node.findAll().flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(Object(data)))
        .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), place: node.path, reason: String(reason) })),
    );
    return {
      acknowledgments,
      unexplained: packs().flatMap(findingsOf),
      // A pack asks this of each finding; see node_modules/cdk-nag/lib/nag-pack.js.
      all: packs().flatMap((pack) => findingsOf(Object.defineProperty(pack, 'isAcknowledged', { value: () => false }))),
    };
  });
}

const stacks = [...stageNames.map((stage) => ({ stage, config: {} })), { stage: 'prod', config: everySetting }];

describe.each(stacks)('the rule packs, over $stage, traced: $config.tracing', ({ stage, config }) => {
  const { acknowledgments, unexplained, all } = checked(stage, config);

  test('find nothing that has no reason', () => {
    expect(unexplained).toEqual([]);
  });

  test('find what there is a reason for: no reason outlives its finding', () => {
    expect(all.length).toBeGreaterThan(unexplained.length);
    for (const { rule, place } of acknowledgments) {
      const found = all.filter((finding) => finding.rule === rule && `${finding.place}/`.startsWith(`${place}/`));
      expect([rule, place, found.length > 0]).toEqual([rule, place, true]);
    }
  });

  test('are given reasons that are sentences', () => {
    for (const { reason } of acknowledgments) expect(reason).toMatch(/^[A-Z].{30,}\.$/);
  });

  test('are told to look away on the whole stack for named wildcards alone', () => {
    const ofStack = acknowledgments.filter(({ place }) => !place.includes('/'));
    expect(ofStack).not.toEqual([]);
    for (const { rule } of ofStack) expect(rule).toMatch(/^AwsSolutions-IAM5\[Resource::.+\]$/);
    for (const { rule } of ofStack) expect(rule).not.toContain('::*]');
  });
});
