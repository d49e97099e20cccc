import type { VoiceProblem } from './voice_texts';

/** Hears what a session of speech has to tell. */
export interface SpeechListener {
  /** The microphone is open. */
  onListening(): void;
  /** The speech has ended and becomes text. */
  onWriting(): void;
  /** All words so far; they replace those of the call before. */
  onText(text: string): void;
  /** Called once, last. `problem`: a code, or what the gateway said. */
  onEnd(problem?: VoiceProblem | { sentence: string }): void;
}

/** Speech that is being turned into text. */
export interface SpeechSession {
  /** Ends the speech. Its last words still come. */
  finish(): void;
  /** Ends the speech. No more words come. */
  cancel(): void;
}

/** Starts a session. `language`: the spoken language, such as `de` or `en-GB`; undefined: the model of the gateway finds out, the browser takes its own. */
export type StartSpeech = (language: string | undefined, listener: SpeechListener) => SpeechSession;
