import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { noticeData } from '#shared/contracts/notices.ts';

/** All names of fields in a JSON Schema, also of nested objects. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)];
}

/** What notices may tell: ids of things, states, times and figures. */
const allowed = [
  ...['revision', 'transcriptionId', 'recordingId', 'roomName', 'roomSessionId', 'eventId', 'webhookId'],
  ...['type', 'state', 'status', 'storageType', 'failureCode'],
  ...['startedAt', 'endedAt', 'startDate', 'endDate', 'durationInSeconds'],
  // What insights show of a session
  ...['totalParticipantMinutes', 'totalRecorderMinutes', 'totalStreamerMinutes', 'totalUniqueParticipants'],
  ...['totalUniqueRecorders', 'totalUniqueStreamers', 'rating', 'totalRatings', 'spokenSeconds', 'spokenSource'],
  ...['completeness', 'missing', 'asOf'],
];

test('notices tell only ids, states, times and figures, because the erasure of a person does not search them', () => {
  const schemas = Object.values(noticeData).map((schema) =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
  const fields = new Set(schemas.flatMap(fieldsOf));
  const others = [...fields].filter((name) => !allowed.includes(name));
  expect(others.sort()).toEqual([]);
});
