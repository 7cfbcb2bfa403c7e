/** A call of a fake client: the name of the command and its input. */
export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** Returns the answer to a call. Throws or rejects for an error of the service. */
export type Answer = (call: Call, index: number) => unknown;

/**
 * Replaces the network of an SDK client. Records each call and answers it with `answer`, by default with an empty
 * object.
 */
export function answering<Client extends object>(client: Client, answer: Answer = () => ({})) {
  const calls: Call[] = [];
  const send = async (command: { readonly input: unknown }) => {
    const call = { name: command.constructor.name, input: command.input as Call['input'] };
    calls.push(call);
    return answer(call, calls.length - 1);
  };
  return { client: Object.assign(client, { send }), calls };
}
