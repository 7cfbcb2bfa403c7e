/** Outputs of the stack that commands look for after it is deployed. */
export const outputNames = {
  apiUrl: 'ApiUrl',
  apiDomainTarget: 'ApiDomainTarget',
  userPoolId: 'UserPoolId',
  tokenUrl: 'TokenUrl',
  tokenScope: 'TokenScope',
  alarmTopicArn: 'AlarmTopicArn',
  dashboardUrl: 'DashboardUrl',
} as const;
