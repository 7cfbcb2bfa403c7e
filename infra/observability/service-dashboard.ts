import { Stack } from 'aws-cdk-lib';
import { AlarmStatusWidget, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { dashboardRows } from './dashboard.ts';
import type { MonitoredResources } from './monitored-resources.ts';
import type { ServiceAlarms } from './service-alarms.ts';

/** The deployment's dashboard: the states of its alarms, then traffic, errors, queues, transcriptions, tables and costs. */
export class ServiceDashboard extends Construct {
  /** Address of the dashboard in the AWS console. */
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly monitored: MonitoredResources; readonly alarms: ServiceAlarms },
  ) {
    super(scope, id);
    const { groups } = props.alarms;
    const states = groups.map(
      ({ title, alarms }) =>
        new AlarmStatusWidget({ title, alarms: [...alarms], width: 24 / groups.length, height: 8 }),
    );
    const { dashboardName } = new Dashboard(this, 'Dashboard', {
      widgets: [states, ...dashboardRows(props.monitored)],
    });
    const { region } = Stack.of(this);
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${dashboardName}`;
  }
}
