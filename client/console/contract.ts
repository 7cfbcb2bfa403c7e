import { csvFormulaSource } from '../../shared/contracts/csv-formula.ts';
import { roomSessionSortFields, roomSortFields } from '../../shared/contracts/insights.ts';
import { badPacketLoss as limit } from '../../shared/contracts/session-network.ts';
import { transcribeReadings } from '../../shared/prices.ts';

// The parts of the contract that the console needs at run time, as plain data. The build replaces this module by these values.

/** The fields by which the service sorts rooms. */
export const sortFieldsOfRooms: readonly string[] = roomSortFields;

/** The fields by which the service sorts the sessions of a room. */
export const sortFieldsOfSessions: readonly string[] = roomSessionSortFields;

/** A participant's minute is bad if its mean packet loss is this or more, in at least one direction. */
export const badPacketLoss: number = limit;

/** Where spreadsheets can read a formula in a text, as the source of a regular expression. The CSV of the API has the same rule. */
export const formulaSource: string = csvFormulaSource;

/** What Amazon Transcribe costs for a minute, in dollars, by each reading of its price, the lower one first. */
export const transcribePrices: readonly number[] = Object.values(transcribeReadings)
  .map(({ tiers: [{ dollarsPerMinute }] }) => dollarsPerMinute)
  .toSorted((one, other) => one - other);
