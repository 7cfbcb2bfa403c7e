/** Names of the outputs that the commands read from a deployed stack. */
export const outputNames = {
  apiUrl: 'ApiUrl',
  apiDomainTarget: 'ApiDomainTarget',
  userPoolId: 'UserPoolId',
  tokenUrl: 'TokenUrl',
  tokenScope: 'TokenScope',
  alarmTopicArn: 'AlarmTopicArn',
  urgentAlarmTopicArn: 'UrgentAlarmTopicArn',
  dashboardUrl: 'DashboardUrl',
} as const;
