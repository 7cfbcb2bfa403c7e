import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '../../shared/error-details.ts';
import type { Terminal } from '../../shared/terminal.ts';
import { missingPrograms } from '../transcribe/required-programs.ts';
import { demoDay, playDay } from './day.ts';
import { type DemoOptions, transcribeSample } from './recording.ts';

/** Which parts of the demo have started and been shown. Stored in the data directory. */
type DemoState = { readonly day?: string; readonly dayShown?: true; readonly transcriptionId?: string };

type Options = Omit<DemoOptions, 'onProgress'> & { readonly dataDir: string; readonly terminal: Terminal };

/**
 * Shows each part of the demo once per data directory: a day of rooms, then a transcript. Skips the transcript if a
 * program for it is missing. If a part fails, reports it, and the service goes on.
 */
export async function showDemo({ dataDir, terminal, ...rest }: Options): Promise<void> {
  const file = path.resolve(dataDir, 'demo.json');
  const options = { ...rest, onProgress: terminal.progress };
  let state = await readState(file);
  const keep = async (more: DemoState) => {
    state = { ...state, ...more };
    await writeFile(file, `${JSON.stringify(state)}\n`);
  };
  const attempt = async (part: () => Promise<void>) => {
    try {
      await part();
    } catch (error) {
      if (!options.signal.aborted) terminal.say(`The demo failed: ${errorMessage(error)}. See the logs.`);
    }
  };

  if (!state.dayShown) {
    await attempt(async () => {
      const day = state.day ?? demoDay(Date.now());
      await keep({ day }); // before sending anything: an interrupted demo resumes with the same day
      terminal.say(`${indented(await playDay(options, day))}\n`);
      await keep({ dayShown: true });
    });
  }
  if (state.transcriptionId === undefined && missingPrograms().length === 0 && !options.signal.aborted) {
    await attempt(async () => {
      const { transcriptionId, firstLines, link } = await transcribeSample(options);
      await keep({ transcriptionId });
      terminal.say(
        `The transcript of the sample recording begins:\n\n${indented(firstLines)}\n\nFull transcript: ${link}`,
      );
    });
  }
}

async function readState(file: string): Promise<DemoState> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return {}; // a killed process left half a file: show the demo again
    throw error;
  }
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
