/**
 * Messages and tools that a program brings with a run. Its tools never run here: a call of one ends the run, and the program sends the result with
 * its next request.
 */
import { type Static, Type } from '@sinclair/typebox';
import { closedObject } from '../utils/schema_types';
import type { ThinkingLevel } from './llm';

/** A tool of the caller. `parameters`: JSON Schema of an object. */
export interface CallerTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A call that the caller runs. `arguments` is the JSON text as the model wrote it; it may be broken. */
export const CallerCall = closedObject({ toolCallId: Type.String(), name: Type.String(), arguments: Type.String() });
export type CallerCall = Static<typeof CallerCall>;

/** The wishes of the caller for one run alone. The run keeps them, so that they survive a crash. */
export interface CallerContext {
  /**
   * Tools that the program brings. The model gets them behind the tools of the agent; a tool of the program replaces an agent's tool of the same
   * name. An agent's tool that asks a person stays: its question goes to the caller as a call of the tool with that name.
   */
  tools: readonly CallerTool[];
  /** The model is offered only the tools of the caller, because it must call one. */
  onlyCallerTools?: true;
  /** Texts of the caller that stand in the prompt behind the rules of the gateway. */
  instructions?: string;
  /** Takes the place of the session's thinking level. */
  thinkingLevel?: ThinkingLevel;
  /** Further fields of the requests to the model server, such as tool_choice. */
  modelFields?: Readonly<Record<string, unknown>>;
  /** Fingerprint of the conversation as the caller gave it, up to the answer of this run. */
  conversation?: string;
  /** Id that the caller gave the last message of its request. Messages behind it are new in the next one. */
  lastMessage?: string;
  /** The caller shows the question of `run_end` itself, so its text is not streamed as an answer. */
  showsQuestions?: true;
}

const CALL_ID = /^call_([0-9a-z]{26})_\d{1,3}$/;

/**
 * Returns the id of a call that the caller runs. The id names the run, so that the result finds its run. At most 40 characters, the limit of OpenAI.
 */
export const callerCallId = (runId: string, index: number): string => `call_${runId.replace(/^run_/, '')}_${index}`;

/** Returns the id of the run that made the call; undefined for the id of another gateway or model. */
export function runOfCallerCall(toolCallId: string): string | undefined {
  const letters = CALL_ID.exec(toolCallId)?.[1];
  return letters === undefined ? undefined : `run_${letters}`;
}
