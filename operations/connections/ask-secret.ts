import { text } from 'node:stream/consumers';
import password from '@inquirer/password';
import { UserError } from '#tools/shared/user-error.ts';

/** What to ask for, and what a good answer is. */
export type Question = {
  readonly message: string;
  /** Reads standard input to its end instead of asking. */
  readonly fromStdin: boolean;
  /** Says what is wrong with an answer, in words that follow "The secret". */
  readonly problem: (answer: string) => string | undefined;
};

/**
 * Asks the operator for a secret. Returns undefined if the answer is empty, or if nobody can be asked. A secret is never an argument, because
 * other users of the machine can see arguments, and the shell keeps them. Throws a `UserError` for a wrong secret from standard input, and for Ctrl-C.
 */
export type AskSecret = (question: Question) => Promise<string | undefined>;

type Streams = { readonly stdin: NodeJS.ReadStream; readonly stderr: NodeJS.WriteStream };

/** Asks with hidden input on a terminal, or reads standard input. */
export function askSecretWith({ stdin, stderr }: Streams): AskSecret {
  return async ({ message, fromStdin, problem }) => {
    if (fromStdin) {
      const answer = (await text(stdin)).trim();
      const wrong = answer === '' ? 'is empty' : problem(answer);
      if (wrong !== undefined) throw new UserError(`The secret on standard input ${wrong}.`);
      return answer;
    }
    if (!stdin.isTTY || !stderr.isTTY) return undefined;
    const validate = (answer: string) => {
      const wrong = answer.trim() === '' ? undefined : problem(answer.trim());
      return wrong === undefined || `The secret ${wrong}.`;
    };
    const answer = await password({ message, validate }, { input: stdin, output: stderr }).catch(explainCancellation);
    return answer.trim() || undefined;
  };
}

/** Ctrl-C ends the prompt with an error of its own. */
function explainCancellation(error: Error): never {
  if (error.name !== 'ExitPromptError') throw error;
  throw new UserError('Cancelled: no secret was given.', { cause: error });
}
