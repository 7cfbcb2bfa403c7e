import { useState } from 'react';
import { texts } from '../../texts/en.ts';
import { ErrorNotice } from '../page/async-state.tsx';

/** What a button downloads, and under which name. */
export type DownloadButtonProps = {
  readonly label?: string;
  readonly filename: string;
  /** The pieces of the file, from the service or from what is shown. Each piece counts its rows. */
  readonly pieces: () => AsyncIterable<string> | Iterable<string>;
};

/** Downloads rows as CSV, and says how many it has while it fetches them. */
export function DownloadButton({ label = texts.common.downloadCsv, filename, pieces }: DownloadButtonProps) {
  const [rows, setRows] = useState<number>();
  const [error, setError] = useState<Error>();
  const { preparingCsv } = texts.common;
  const download = async () => {
    setError(undefined);
    try {
      const parts: string[] = [];
      let count = 0;
      for await (const piece of pieces()) {
        parts.push(piece);
        count += piece.split('\n').length - 1;
        setRows(count);
      }
      saveFile(filename, new Blob(parts, { type: 'text/csv;charset=utf-8' }));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setRows(undefined);
    }
  };
  return (
    <>
      <button type="button" className="button" disabled={rows !== undefined} onClick={() => void download()}>
        {rows === undefined ? label : preparingCsv(rows)}
      </button>
      {error && <ErrorNotice error={error} />}
    </>
  );
}

/** Has the browser save a file. */
export function saveFile(filename: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it after the click
}
