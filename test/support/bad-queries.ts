/** What a page's limit cannot be, as it stands in a query: whole numbers from 1 to 100 are taken, written as people do. */
export const badLimits = [
  ...[
    '-1',
    '0',
    '101',
    '1e9',
    '1000000000',
    '1.5',
    '10abc',
    '',
    '+5',
    '%2B5',
    '%205',
    '5%20',
    '0x10',
    '1e1',
    'NaN',
    '5,5',
  ],
  encodeURIComponent('٥'),
];

/** What it can be. */
export const goodLimits = ['1', '100', '007'];

/** Names of parameters that no endpoint has. */
export const unknownParameters = [
  ...['room', 'Limit', 'limit[]', 'sort', 'page', 'pageSize', 'organizationId', 'tenantId', 'format', ''],
  ...['constructor', '__proto__', 'toString', 'roomname', 'room_session_id', 'externalID', 'participantID'],
];
