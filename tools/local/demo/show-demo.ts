import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '../../shared/error-details.ts';
import type { Terminal } from '../../shared/terminal.ts';
import { findFlite } from '../meeting/speak.ts';
import { missingPrograms } from '../transcribe/required-programs.ts';
import { demoDay, playDay } from './day.ts';
import { transcribeMeeting } from './meeting.ts';
import { transcribeSample } from './recording.ts';
import type { DemoOptions } from './transcript.ts';

/** Which parts of the demo have started and been shown. Stored in the data directory. */
type DemoState = {
  readonly day?: string;
  readonly dayShown?: true;
  readonly transcriptionId?: string;
  readonly meetingId?: string;
};

type Options = Omit<DemoOptions, 'onProgress'> & { readonly dataDir: string; readonly terminal: Terminal };

/**
 * Shows each part of the demo once per data directory: a day of rooms, the transcript of a recording, and that of a meeting with a track
 * for each person. Skips a transcript if a program for it is missing. If a part fails, reports it, and the service goes on.
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
  if (missingPrograms().length > 0) return;
  if (state.transcriptionId === undefined && !options.signal.aborted) {
    await attempt(async () => {
      const { transcriptionId, firstLines, link } = await transcribeSample(options);
      await keep({ transcriptionId });
      terminal.say(
        `The transcript of the sample recording begins:\n\n${indented(firstLines)}\n\nFull transcript: ${link}`,
      );
    });
  }
  if (state.meetingId === undefined && findFlite() !== undefined && !options.signal.aborted) {
    await attempt(async () => {
      const { transcriptionId, firstLines, link, speakers } = await transcribeMeeting(options);
      await keep({ meetingId: transcriptionId });
      terminal.say(
        `\nThe transcript of a meeting with a track for each person begins:\n\n${indented(firstLines)}\n\n${speakers}.\nFull transcript: ${link}`,
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
