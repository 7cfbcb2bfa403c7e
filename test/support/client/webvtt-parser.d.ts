declare module 'webvtt-parser' {
  /** A node of a cue text. The value of a voice span is the speaker, and the value of a text node is its text. */
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
