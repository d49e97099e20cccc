/** The tools of a replay: what a tool that really runs may say to the model. */
import { RecordedTools } from '../../../src/feature/replay/replay/recorded_tools';
import { ReplayJournal } from '../../../src/feature/replay/replay/replay_journal';
import type { RecordedRun } from '../../../src/feature/replay/store/recorded_run';
import { assembleTools } from '../../../src/runtime/tool_assembler';
import { TOOL_LIMITS } from '../../../src/runtime/tool_runner/tool_limits';
import { listDirTool } from '../../../src/tools/builtin/list_dir';

const call = (id: string, args = '{"path":"."}') => ({
  id,
  type: 'function' as const,
  function: { name: listDirTool.name, arguments: args },
});

it('truncates the results of tools that a replay runs with the limits of a run, and gives recorded results as they are', async () => {
  const recorded = 'r'.repeat(150_000);
  const tools = new RecordedTools({
    run: {
      results: [{ name: listDirTool.name, arguments: '{"path":"notes"}', content: recorded }],
      end: {},
      locale: 'en',
    } as unknown as RecordedRun,
    tools: assembleTools([listDirTool], { toolsets: [], names: [listDirTool.name] }, 'en'),
    journal: new ReplayJournal(),
    spending: undefined,
    runLive: async () => ({ ok: true, content: 'x'.repeat(150_000) }),
  });
  const outcomes = await tools.runCalls([call('a'), call('b'), call('c'), call('d', '{"path":"notes"}')]);
  const contents = outcomes.map(({ message }) => message.content as string);
  const [first = '', second = '', third = '', last] = contents;
  expect(first.length).toBeLessThanOrEqual(TOOL_LIMITS.resultLength);
  expect(first).toContain('The rest was not kept');
  expect(first.length + second.length + third.length).toBeLessThanOrEqual(TOOL_LIMITS.attemptLength + TOOL_LIMITS.leastLength);
  expect(last).toBe(recorded);
});
