import { builtinTools } from '../../../src/builtin_tools';
import { GrowingTools } from '../../../src/feature/tool_choice/growing_tools';
import { AnswerText } from '../../../src/runtime/raw_calls/answer_text';
import { assembleTools, findTool } from '../../../src/runtime/tool_assembler';

const all = builtinTools();
const text = '```json\n{"name": "calculator", "arguments": {"expression": "1+1"}}\n```';

function readAnswer(candidates: string[]) {
  const base = assembleTools(all, { toolsets: ['base'] }, 'en');
  const added: string[] = [];
  const byName = new Map(all.filter(({ name }) => candidates.includes(name)).map(tool => [tool.name, tool]));
  const tools = new GrowingTools(base, {
    candidates: byName,
    locale: 'en',
    budget: { tools: 40, tokens: 16_000 },
    onAdd: names => added.push(...names),
  });
  const history = [{ role: 'user' as const, content: 'What is one and one?' }];
  const reader = new AnswerText({ findTool: name => findTool(tools, name), history, ids: { next: prefix => `${prefix}_1` } });
  reader.push(text);
  const { answer, problem } = reader.finish({ message: { role: 'assistant', content: text }, reasoning: '', finishReason: 'stop' });
  return { calls: answer.message.tool_calls?.map(call => call.function.name), problem, added };
}

describe('a raw call of a tool that was left out of the list', () => {
  it('is recovered; the tool joins the list only when the call runs', () => {
    expect(readAnswer(['calculator'])).toEqual({ calls: ['calculator'], problem: undefined, added: [] });
  });

  it('is no call when the agent may not have the tool', () => {
    expect(readAnswer([])).toEqual({ calls: undefined, problem: { kind: 'unknown_tool', name: 'calculator' }, added: [] });
  });
});
