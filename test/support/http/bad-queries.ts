/** Invalid limits, encoded for a query. Valid are whole numbers from 1 to 100 in plain notation. */
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

/** Valid limits. */
export const goodLimits = ['1', '100', '007'];

/** Names of parameters that no endpoint has. */
export const unknownParameters = [
  ...['room', 'Limit', 'limit[]', 'sort', 'page', 'pageSize', 'organizationId', 'tenantId', 'format', ''],
  ...['constructor', '__proto__', 'toString', 'roomname', 'room_session_id', 'externalID', 'participantID'],
];
