/**
 * What a run keeps of its requests to the model, so that it can be replayed. Answers, calls and results are in the messages of the run, so the recording
 * holds only what the messages lack. Long texts are prompt parts: stored once for many runs, and named by their hash.
 */
import type { FinishReason, ThinkingLevel, Usage } from './llm';

/** A piece of a prompt: its text, or the hash of a prompt part. */
export type PromptPiece = { text: string } | { part: string };

export interface RecordedCall {
  /** Hash of the request. */
  request: string;
  /** Hash of the list of tools, when it differs from the list of the first request. */
  tools?: string;
  /** Absent: `tool_calls` for an answer with calls, `stop` for any other. */
  finishReason?: FinishReason;
  usage?: Usage;
  /** Id of the model that answered, when another model was asked first. */
  answeredBy?: string;
  /** Names of tools that were not offered, because the model's server refuses them. */
  toolsAside?: readonly string[];
}

export interface RunRecording {
  /** The system prompt of the first request. The first piece is the same in all sessions of the agent. */
  prompt: readonly PromptPiece[];
  /** Hash of the tools of the first request; the prompt part is their list as JSON. */
  tools: string;
  /** Absent: off. */
  thinkingLevel?: ThinkingLevel;
  /** The calls of the process that ended the run, in order. A run that was recovered may have had more before. */
  calls: readonly RecordedCall[];
}
