import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '#tools/shared/error-details.ts';
import type { Terminal } from '#tools/shared/terminal.ts';
import { findOpusEncoder } from '../meeting/record.ts';
import { meetingSeconds } from '../meeting/script.ts';
import { findFlite } from '../meeting/speak.ts';
import { missingPrograms } from '../transcribe/media/required-programs.ts';
import { demoDay, playDay } from './day.ts';
import { transcribeMeeting } from './meeting.ts';
import { transcribeSample } from './recording.ts';
import type { DemoOptions, DemoTranscript } from './transcript.ts';

/** Which parts of the demo have started and been shown. Stored in the data directory. */
type DemoState = {
  readonly day?: string;
  readonly dayShown?: true;
  readonly transcriptionId?: string;
  readonly meetingDate?: string;
  readonly meetingId?: string;
};

type Options = Omit<DemoOptions, 'onProgress'> & { readonly dataDir: string; readonly terminal: Terminal };

/** What each part uses. `keep` stores more of the state. */
type Stage = {
  readonly options: DemoOptions;
  readonly state: DemoState;
  readonly keep: (more: DemoState) => Promise<void>;
  readonly say: (text: string) => void;
};

/**
 * Shows each part of the demo once per data directory: a day of rooms, the transcript of a recording, and that of a meeting with a track
 * for each person. Skips what a program is missing for. If a part fails, reports it, and the service goes on.
 */
export async function showDemo({ dataDir, terminal, ...rest }: Options): Promise<void> {
  const file = path.resolve(dataDir, 'demo.json');
  const options = { ...rest, onProgress: terminal.progress };
  let state = await readState(file);
  const keep = async (more: DemoState) => {
    state = { ...state, ...more };
    await writeFile(file, `${JSON.stringify(state)}\n`);
  };
  for (const show of [showDay, showRecording, showMeeting]) {
    if (options.signal.aborted) return;
    try {
      await show({ options, state, keep, say: terminal.say });
    } catch (error) {
      if (!options.signal.aborted) terminal.say(`The demo failed: ${errorMessage(error)}. See the logs.`);
    }
  }
}

async function showDay({ options, state, keep, say }: Stage): Promise<void> {
  if (state.dayShown) return;
  const day = state.day ?? demoDay(Date.now());
  await keep({ day }); // before sending anything: an interrupted demo resumes with the same day
  say(`${indented(await playDay(options, day))}\n`);
  await keep({ dayShown: true });
}

async function showRecording({ options, state, keep, say }: Stage): Promise<void> {
  if (state.transcriptionId !== undefined || missingPrograms().length > 0) return;
  const transcript = await transcribeSample(options);
  await keep({ transcriptionId: transcript.transcriptionId });
  say(`The transcript of the sample recording begins:\n\n${beginningOf(transcript)}`);
}

async function showMeeting({ options, state, keep, say }: Stage): Promise<void> {
  const programs = [findFlite(), findOpusEncoder()];
  if (state.meetingId !== undefined || missingPrograms().length > 0 || programs.includes(undefined)) return;
  const meetingDate = state.meetingDate ?? new Date(Date.now() - meetingSeconds * 1000).toISOString();
  await keep({ meetingDate }); // before sending anything: tracks of another date would be further tracks
  const transcript = await transcribeMeeting(options, meetingDate);
  await keep({ meetingId: transcript.transcriptionId });
  say(`\nThe transcript of a meeting with a track for each person begins:\n\n${beginningOf(transcript)}`);
  say(`Its speakers: ${transcript.speakers}.`);
}

function beginningOf({ firstLines, link }: DemoTranscript): string {
  return `${indented(firstLines)}\n\nFull transcript: ${link}`;
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
