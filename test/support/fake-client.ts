/** A call that a fake client got: the command's name and its input. */
export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What the other side says to a call; throws or rejects for an error of its own. */
export type Answer = (call: Call, index: number) => unknown;

/** Takes the network out of an SDK client: each call is kept and gets what `answer` says (nothing, by default). */
export function answering<Client extends object>(client: Client, answer: Answer = () => ({})) {
  const calls: Call[] = [];
  const send = async (command: { readonly input: unknown }) => {
    const call = { name: command.constructor.name, input: command.input as Call['input'] };
    calls.push(call);
    return answer(call, calls.length - 1);
  };
  return { client: Object.assign(client, { send }), calls };
}
