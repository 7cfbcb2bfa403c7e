declare module 'webvtt-parser' {
  /** A node of a cue's text: a voice span has the speaker as its value, a text node the text. */
  type CueNode = {
    readonly type: 'object' | 'text' | 'timestamp';
    readonly name?: string;
    readonly value?: string;
    readonly children?: readonly CueNode[];
  };
  type Cue = {
    readonly id: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly text: string;
    readonly tree: { readonly children: readonly CueNode[] };
  };
  type Problem = { readonly message: string; readonly line: number };

  export class WebVTTParser {
    constructor(entities?: Readonly<Record<string, string>>);
    parse(input: string, mode?: string): { readonly cues: readonly Cue[]; readonly errors: readonly Problem[] };
  }
  const parsers: { readonly WebVTTParser: typeof WebVTTParser };
  export default parsers;
}
