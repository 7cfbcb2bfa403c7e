import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { alarmProps } from './alarm-spec.ts';
import type { AlarmGroup } from './alarms.ts';

/** The alarms of a deployment, in the groups that the dashboard shows. Each notifies the topic when it starts and when it ends. */
export class ServiceAlarms extends Construct {
  readonly groups: readonly { readonly title: string; readonly alarms: readonly Alarm[] }[];
  readonly #rollbacks = new Map<Alarm, readonly ServiceFunction[]>();

  constructor(scope: Construct, id: string, props: { readonly groups: readonly AlarmGroup[]; readonly topic: Topic }) {
    super(scope, id);
    const action = new SnsAction(props.topic);
    this.groups = props.groups.map(({ title, alarms }) => ({
      title,
      alarms: alarms.map((spec) => {
        const alarm = new Alarm(spec.stack ?? this, spec.id, alarmProps(spec));
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
