/** The demo's next answer, as a function of the conversation alone. */
import type { LlmRequest } from '../../port/llm';
import type { DemoCall, Desk } from './demo_desk';
import { parseRequest } from './demo_parse';
import { doRequest } from './demo_plan';
import { DEMO_TEXTS } from './demo_texts';
import { type DoneCall, readTask } from './demo_transcript';
import { languageOf } from './demo_words';

export interface DemoMove {
  text: string;
  /** Only tools that the request offers. */
  calls: { name: string; args: Record<string, unknown> }[];
}

export function nextMove({ messages, tools, locale }: Pick<LlmRequest, 'messages' | 'tools' | 'locale'>): DemoMove {
  const offered = new Set(tools.map(tool => tool.function.name));
  const { request, done, earlierFile, isLastAnswer } = readTask(messages, tools.length > 0);
  const wasUsed = new Set(done.map(({ name }) => name));
  const desk: Desk = {
    texts: DEMO_TEXTS[languageOf(request) ?? locale],
    // A last answer is offered no tools, but has to play the same work up to where it stops.
    can: tool => offered.has(tool) || wasUsed.has(tool) || (isLastAnswer && tool !== 'todo'),
    request,
    ...(earlierFile && { file: earlierFile }),
    parts: [],
    ticked: 0,
  };
  return playWork(desk, done, offered);
}

function playWork(desk: Desk, done: readonly DoneCall[], offered: ReadonlySet<string>): DemoMove {
  const work = doRequest(parseRequest(desk.request), desk);
  const recorded = [...done];
  const move: DemoMove = { text: '', calls: [] };
  let step = work.next();
  while (!step.done) {
    const call = step.value;
    const result = takeResult(recorded, call);
    if (result === undefined) {
      if (offered.has(call.name)) addCall(move, call);
      else if (call.waits) return { text: [...desk.parts, desk.texts.outOfCalls].join('\n\n'), calls: [] };
      if (call.waits) return move;
    }
    step = work.next(result ?? '');
  }
  return move.calls.length > 0 ? move : { text: desk.parts.join('\n\n'), calls: [] };
}

function addCall(move: DemoMove, { name, args, say }: DemoCall): void {
  move.calls.push({ name, args });
  if (say) move.text = say;
}

/** Takes the first recorded call that is this one and gives its result. A question is known by its text alone. */
function takeResult(recorded: DoneCall[], call: DemoCall): string | undefined {
  const keyOf = ({ name, args }: { name: string; args: Record<string, unknown> }) =>
    `${name} ${JSON.stringify(name === 'clarify' ? args['question'] : args)}`;
  const wanted = keyOf(call);
  const index = recorded.findIndex(done => keyOf(done) === wanted);
  return index < 0 ? undefined : recorded.splice(index, 1)[0]?.result;
}
