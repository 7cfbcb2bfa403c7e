import { InvalidRequestError } from '../../../../client/errors.ts';
import { useApi } from '../../../app/api.tsx';
import { textOf } from '../../../parts/page/async-state.tsx';
import { texts } from '../../../texts/en.ts';
import styles from '../panels.module.css';

type Call = { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: Error | null };

type CorrectionStateProps = { readonly correct: Call; readonly undo: Call };

/** Says whether a correction is saved, and what is wrong with one that is not. */
export function CorrectionState({ correct, undo }: CorrectionStateProps) {
  const { session } = useApi();
  const { saving, saved, undone, notSaved } = texts.transcript;
  const error = undo.error ?? (undo.isSuccess ? null : correct.error);
  if (error) {
    return (
      <p role="alert" className={styles.problem}>
        {notSaved} {problemOf(error, session.signInAgain !== undefined)}
      </p>
    );
  }
  const isPending = correct.isPending || undo.isPending;
  const said = isPending ? saving : undo.isSuccess ? undone : correct.isSuccess ? saved : undefined;
  return (
    <p role="status" className={styles.personFacts}>
      {said}
    </p>
  );
}

/** What the service says about a name that it does not take, or else what the error means. */
function problemOf(error: Error, canSignIn: boolean): string {
  if (error instanceof InvalidRequestError && error.issues.length > 0) {
    return error.issues.map(({ path, message }) => `${path} ${message}.`).join(' ');
  }
  return textOf(error, canSignIn);
}
