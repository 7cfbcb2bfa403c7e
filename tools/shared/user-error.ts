/** An error that the user of a command can fix. The message says how, and is printed without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
