/** DynamoDB writes at most 100 items in one transaction. */
export const maxItemsPerTransaction = 100;

/** Participants whose rows one change of a session may write. Further participants follow in the next change. */
export const participantsPerChange = 20;

/** Visitors that one change of a session may count for the first time. Further visitors follow in the next change. */
export const newVisitorsPerChange = 30;

/** Rows of session and room, and the session's old and new start among the room's starts. */
const otherItems = 4;
/** The session marks a counted visitor, and so does the room. */
const marksPerVisitor = 2;

/** Items of the largest change. Must stay within `maxItemsPerTransaction`. */
export const largestChange = otherItems + participantsPerChange + newVisitorsPerChange * marksPerVisitor;
