import { csvFormulaSource } from '../shared/contracts/common/csv-formula.ts';
import { roomSessionSortFields, roomSortFields } from '../shared/contracts/insights/insights.ts';
import { badPacketLoss as limit } from '../shared/contracts/insights/session-network.ts';

// The parts of the contract that the console needs at run time, as plain data. The build replaces this module by these values.

/** The fields by which the service sorts rooms. */
export const sortFieldsOfRooms: readonly string[] = roomSortFields;

/** The fields by which the service sorts the sessions of a room. */
export const sortFieldsOfSessions: readonly string[] = roomSessionSortFields;

/** A participant's minute is bad if its mean packet loss is this or more, in at least one direction. */
export const badPacketLoss: number = limit;

/** Where spreadsheets can read a formula in a text, as the source of a regular expression. The CSV of the API has the same rule. */
export const formulaSource: string = csvFormulaSource;
