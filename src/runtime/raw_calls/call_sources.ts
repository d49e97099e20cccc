/** Texts and tools against which the calls of an answer are checked. */
import type { ChatMessage } from '../../port/llm';
import type { AgentTool } from '../../tools/common';

export interface CallSources {
  /** Returns the tool of this run with the name, also a tool that was left out of the list that the model got. */
  findTool: (name: string) => AgentTool | undefined;
  /** The messages before the answer. */
  history: readonly ChatMessage[];
}

const NAMESPACE = /^(?:functions|tools|default_api)\./;

/** Removes what formats add to the name of a tool: a namespace, and the number of the call behind a colon. */
export const toToolName = (name: string): string => name.replace(NAMESPACE, '').replace(/:\d+$/, '');

/** Returns the latest message of the person; '' without one. */
export const lastRequest = (history: readonly ChatMessage[]): string => history.findLast(({ role }) => role === 'user')?.content ?? '';
