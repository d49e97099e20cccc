/** Hands a question of the agent to a caller that brought a tool for it, as a call of that tool. */
import { type CallerCall, type CallerTool, callerCallId } from '../../port/caller';
import { toQuestionArguments } from '../../runtime/caller_tools';
import type { Question } from '../../tools/question';
import type { RunTurn } from './run_turn';

/** Returns the tool of the caller that has the name of a tool with which the agent asks a person. */
export function questionToolOf({ run, agent }: Pick<RunTurn, 'run' | 'agent'>): CallerTool | undefined {
  if (run.interaction.clarify === 'wait') return undefined;
  return run.caller?.tools.find(({ name }) => agent.tools.byName.get(name)?.asksPerson);
}

/** Returns the call of the caller's tool; undefined when the question becomes the text of the answer. */
export function questionCalls(turn: Pick<RunTurn, 'run' | 'agent'>, question: Question): CallerCall[] | undefined {
  const tool = questionToolOf(turn);
  if (!tool) return undefined;
  return [{ toolCallId: callerCallId(turn.run.id, 0), name: tool.name, arguments: toQuestionArguments(question, tool) }];
}
