/** Turns speech into text. Absent without NETA_TRANSCRIPTION_MODEL. */
import type { Usage } from './llm';

export interface Recording {
  bytes: Uint8Array;
  /** Such as `audio/wav`. */
  mediaType: string;
  /** The language that is spoken, such as `en`. Absent: the model finds out. */
  language?: string;
}

export interface Transcript {
  /** '' for silence. */
  text: string;
  /** Tokens, without a cost; undefined when the server counts none. */
  usage: Usage | undefined;
}

export interface TranscriptionPort {
  readonly model: string;
  /** Base of the API of the server; absent: OpenAI's own. */
  readonly baseUrl?: string;
  /** Name of the service that runs the model, as for chat models. */
  readonly provider: string;
  /** Resolves with what was said. Rejects with AppErrors `model_*`, and with the reason of `signal`. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript>;
}
