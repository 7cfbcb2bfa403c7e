import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '../../shared/error-details.ts';
import type { Terminal } from '../../shared/terminal.ts';
import { findRecognizer } from '../transcribe/recognizer.ts';
import { demoDay, playDay } from './day.ts';
import { type DemoOptions, transcribeSample } from './recording.ts';

/** What of the demo was begun and shown; kept in the data directory. */
type DemoState = { readonly day?: string; readonly dayShown?: true; readonly transcriptionId?: string };

type Options = Omit<DemoOptions, 'onProgress'> & { readonly dataDir: string; readonly terminal: Terminal };

/**
 * Shows each part of the demo the first time in a data directory: a day of rooms, then a transcript, where there is a
 * recognizer. A part that fails is told of, and the service goes on.
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
      if (!options.signal.aborted) terminal.say(`The demo did not work: ${errorMessage(error)}. The logs say more.`);
    }
  };

  if (!state.dayShown) {
    await attempt(async () => {
      const day = state.day ?? demoDay(Date.now());
      await keep({ day }); // before anything is sent: whatever interrupts it, it goes on with the same day
      terminal.say(`${indented(await playDay(options, day))}\n`);
      await keep({ dayShown: true });
    });
  }
  if (state.transcriptionId === undefined && findRecognizer() !== undefined && !options.signal.aborted) {
    await attempt(async () => {
      const { transcriptionId, firstLines, link } = await transcribeSample(options);
      await keep({ transcriptionId });
      terminal.say(`The sample recording's transcript begins:\n\n${indented(firstLines)}\n\nAll of it: ${link}`);
    });
  }
}

async function readState(file: string): Promise<DemoState> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return {}; // cut off by a kill: show it again
    throw error;
  }
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
