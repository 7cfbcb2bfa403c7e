import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { alarmProps, type Severity } from './alarm-spec.ts';
import type { AlarmGroup } from './alarms.ts';

type ServiceAlarmsProps = {
  readonly groups: readonly AlarmGroup[];
  readonly topics: Readonly<Record<Severity, Topic>>;
  /** Address of the page that says what to do about each alarm. */
  readonly pageUrl: string;
};

/**
 * The alarms of a deployment, in the groups that the dashboard shows. Each notifies the topic of its severity when it starts
 * and when it ends.
 */
export class ServiceAlarms extends Construct {
  readonly groups: readonly { readonly title: string; readonly alarms: readonly Alarm[] }[];
  readonly #rollbacks = new Map<Alarm, readonly ServiceFunction[]>();

  constructor(scope: Construct, id: string, { groups, topics, pageUrl }: ServiceAlarmsProps) {
    super(scope, id);
    this.groups = groups.map(({ title, alarms }) => ({
      title,
      alarms: alarms.map((spec) => {
        const alarm = new Alarm(spec.stack ?? this, spec.id, alarmProps(spec, pageUrl));
        const action = new SnsAction(topics[spec.severity]);
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
        this.#rollbacks.set(alarm, spec.rollsBack ?? []);
        return alarm;
      }),
    }));
  }

  /** The alarms that roll back the deployment of a function. */
  rollingBack(target: ServiceFunction): Alarm[] {
    return [...this.#rollbacks].filter(([, functions]) => functions.includes(target)).map(([alarm]) => alarm);
  }
}
