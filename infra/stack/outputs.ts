import { queueNames, tableNames } from '#shared/runtime/names.ts';

/** Names of the outputs that the commands read from a deployed stack. */
export const outputNames = {
  apiUrl: 'ApiUrl',
  apiDomainTarget: 'ApiDomainTarget',
  userPoolId: 'UserPoolId',
  tokenUrl: 'TokenUrl',
  tokenScope: 'TokenScope',
  peoplePoolId: 'PeoplePoolId',
  consoleClientId: 'ConsoleClientId',
  consoleUrl: 'ConsoleUrl',
  consoleDomainTarget: 'ConsoleDomainTarget',
  alarmTopicArn: 'AlarmTopicArn',
  urgentAlarmTopicArn: 'UrgentAlarmTopicArn',
  dashboardUrl: 'DashboardUrl',
  encryptionKeyArn: 'EncryptionKeyArn',
  eventBusName: 'EventBusName',
  eventBusArn: 'EventBusArn',
} as const;

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The name of the output with the name or the URL of a resource. `tools/shared/endpoints.ts` reads them back. */
export const resourceOutput = {
  table: (name: string) => `${capitalized(name)}TableName`,
  bucket: (name: string) => `${capitalized(name)}BucketName`,
  queue: (name: string) => `${capitalized(name)}QueueUrl`,
  deadLetterQueue: (name: string) => `${capitalized(name)}DeadLetterQueueUrl`,
} as const;

/** The description of every output. Those that a platform needs come first. */
export const outputTexts: Readonly<Record<string, string>> = {
  [resourceOutput.bucket('recordings')]: 'For your platform: the bucket for recordings.',
  [resourceOutput.queue('roomEvents')]:
    'For your platform: the queue for events of rooms, recordings and transcriptions.',
  [resourceOutput.queue('networkSamples')]: 'For your platform: the queue for network samples and speech.',
  [outputNames.encryptionKeyArn]: 'For your platform: the key of these three, if the stage has its own.',
  [outputNames.apiUrl]: 'The base URL of the API, for clients.',
  [outputNames.tokenUrl]: 'The URL at which clients get access tokens.',
  [outputNames.tokenScope]: 'The scope of these access tokens.',
  [outputNames.userPoolId]: 'The Cognito user pool whose app clients are the organizations.',
  [outputNames.consoleUrl]: 'The address of the console, for people.',
  [outputNames.consoleDomainTarget]: 'The target of the DNS record for the domain name of the console.',
  [outputNames.peoplePoolId]: 'The Cognito user pool whose users are the people who use the console.',
  [outputNames.consoleClientId]: 'The client of that pool with which the console logs people in.',
  [outputNames.apiDomainTarget]: 'The target of the DNS record for the domain name of the API.',
  [outputNames.eventBusName]: 'The name of the event bus with every notice, for rules of your own.',
  [outputNames.eventBusArn]: 'The ARN of this event bus.',
  [outputNames.dashboardUrl]: 'The CloudWatch dashboard.',
  [outputNames.urgentAlarmTopicArn]: 'The SNS topic of alarms that wake somebody.',
  [outputNames.alarmTopicArn]: 'The SNS topic of alarms that can wait until morning.',
  [resourceOutput.bucket('transcripts')]: 'The bucket for transcripts.',
  ...Object.fromEntries(
    tableNames.map((name) => [resourceOutput.table(name), `The table ${name}, for operators' commands.`]),
  ),
  ...Object.fromEntries(
    queueNames
      .filter((name) => name !== 'roomEvents' && name !== 'networkSamples')
      .map((name) => [resourceOutput.queue(name), `The queue ${name}, which only the service uses.`]),
  ),
  ...Object.fromEntries(
    queueNames.map((name) => [resourceOutput.deadLetterQueue(name), `The messages of ${name} that failed five times.`]),
  ),
};
