/** Turns speech into text. Absent without NETA_TRANSCRIPTION_MODEL. */

export interface Recording {
  bytes: Uint8Array;
  /** Such as `audio/wav`. */
  mediaType: string;
  /** The language that is spoken, such as `en`. Absent: the model finds out. */
  language?: string;
}

export interface TranscriptionPort {
  readonly model: string;
  /** Name of the service that runs the model, as for chat models. */
  readonly provider: string;
  /** Resolves with what was said, '' for silence. Rejects with AppErrors `model_*`, and with the reason of `signal`. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>;
}
