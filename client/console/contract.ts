import { roomSessionSortFields, roomSortFields } from '../../shared/contracts/insights.ts';

// The parts of the contract that the console needs at run time, as plain data. The build replaces this module by these values.

/** The fields by which the service sorts rooms. */
export const sortFieldsOfRooms: readonly string[] = roomSortFields;

/** The fields by which the service sorts the sessions of a room. */
export const sortFieldsOfSessions: readonly string[] = roomSessionSortFields;
