import { GraphWidget, type GraphWidgetProps, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from './metrics.ts';

/** The width of a dashboard in CloudWatch's grid. */
export const fullWidth = 24;

/** The heading of the rows below it. */
export function heading(text: string): IWidget {
  return new TextWidget({ markdown: `## ${text}`, width: fullWidth, height: 1 });
}

/** A row of graphs of equal width. */
export function row(...graphs: readonly Omit<GraphWidgetProps, 'width'>[]): IWidget[] {
  const width = fullWidth / graphs.length;
  return graphs.map((graph) => new GraphWidget({ ...graph, width, period }));
}
