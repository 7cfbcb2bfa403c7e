import { Stack } from 'aws-cdk-lib';
import { AlarmStatusWidget, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { dashboardRows } from './dashboard.ts';
import type { ServiceAlarms } from './service-alarms.ts';
import type { Watched } from './watched.ts';

/** What a person looks at first: which alarms are on, and below that what the service does, fails at, waits for and costs. */
export class ServiceDashboard extends Construct {
  /** Its address in the console. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: { readonly watched: Watched; readonly alarms: ServiceAlarms }) {
    super(scope, id);
    const { groups } = props.alarms;
    const states = groups.map(
      ({ title, alarms }) =>
        new AlarmStatusWidget({ title, alarms: [...alarms], width: 24 / groups.length, height: 8 }),
    );
    const { dashboardName } = new Dashboard(this, 'Dashboard', { widgets: [states, ...dashboardRows(props.watched)] });
    const { region } = Stack.of(this);
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${dashboardName}`;
  }
}
