import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type {} from './measure.ts';

type Cost = { readonly name: string; readonly tests: number; readonly wallMs: number; readonly processorMs: number };

const shownFiles = 25;

/** Prints the files that cost the most processor time, and what each project of the suite costs. */
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map((module) => ({ project: module.project.name, ...costOf(module) }));
    const files = costs.toSorted((one, other) => other.processorMs - one.processorMs).slice(0, shownFiles);
    const projects = Object.entries(Object.groupBy(costs, ({ project }) => project)).map(([project, ofProject = []]) =>
      sumOf(`${project}, ${ofProject.length} files`, ofProject),
    );
    print('The files that cost the most', files);
    const { user, system } = process.cpuUsage();
    const itself = { name: 'vitest and the shared machine', tests: 0, wallMs: 0, processorMs: (user + system) / 1000 };
    print('All files', [...projects, itself, sumOf('total', [...costs, itself])]);
  }
}

function costOf(module: TestModule): Cost {
  const { collectDuration, duration, setupDuration } = module.diagnostic();
  return {
    name: path.relative(process.cwd(), module.moduleId),
    tests: [...module.children.allTests()].length,
    wallMs: setupDuration + collectDuration + duration,
    processorMs: module.meta().processorMs ?? 0,
  };
}

function sumOf(name: string, costs: readonly Cost[]): Cost {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  return {
    name,
    tests: sum(({ tests }) => tests),
    wallMs: sum(({ wallMs }) => wallMs),
    processorMs: sum(({ processorMs }) => processorMs),
  };
}

function print(title: string, costs: readonly Cost[]): void {
  const lines = costs.map(
    ({ name, tests, wallMs, processorMs }) =>
      `${seconds(processorMs)}  ${seconds(wallMs)}  ${String(tests).padStart(6)}  ${name}`,
  );
  process.stdout.write(`\n${title}:\n\nprocessor     wall   tests\n${lines.join('\n')}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}
