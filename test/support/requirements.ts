/**
 * What the seed documents ask for, and where it is proven. A requirement that is done names the test files that prove it, and each of them
 * names the requirement's id; test/requirements.test.ts keeps this true. What is open has no proof yet.
 */
export interface Requirement {
  id: string;
  state: 'done' | 'open';
  /** Paths from the root of the repository. */
  provenBy: readonly string[];
}

const done = (id: string, ...provenBy: string[]): Requirement => ({ id, state: 'done', provenBy });
const open = (id: string): Requirement => ({ id, state: 'open', provenBy: [] });

export const REQUIREMENTS: readonly Requirement[] = [
  done('neta.catalog.schema', 'test/tools/catalog.test.ts', 'test/door/tools_and_health.test.ts'),
  done('neta.catalog.queries', 'test/tools/catalog.test.ts'),
  done('neta.catalog.toolsets', 'test/tools/catalog.test.ts', 'test/door/tools_and_health.test.ts'),
  done('neta.catalog.central', 'test/tools/catalog.test.ts'),
  done('neta.patch.params', 'test/tools/builtin/patch.test.ts', 'test/door/patch.test.ts'),
  done('neta.patch.nine', 'test/tools/fuzzy_match.test.ts'),
  done('neta.patch.result', 'test/tools/fuzzy_match.test.ts', 'test/tools/builtin/patch.test.ts'),
  done('neta.clarify.params', 'test/tools/builtin/clarify.test.ts'),
  done('neta.clarify.blocking', 'test/door/clarify_socket.test.ts', 'test/tools/builtin/clarify.test.ts'),
  done('neta.clarify.degraded', 'test/door/clarify_rest.test.ts', 'test/tools/builtin/clarify.test.ts'),
  done('neta.clarify.protocol', 'test/door/clarify_socket.test.ts', 'test/gateway/protocol.test.ts'),
  done('neta.crew.tools', 'test/runtime/prompt_builder.test.ts', 'test/runtime/prompt_guidance.test.ts'),
  done('neta.prompt.enforcement', 'test/runtime/prompt_guidance.test.ts'),
  done('neta.prompt.behavior', 'test/runtime/prompt_guidance.test.ts'),
  done('neta.prompt.names', 'test/runtime/prompt_builder.test.ts'),
  done('neta.todo', 'test/runtime/todo_store.test.ts', 'test/tools/todo_tool.test.ts'),
  done('neta.executor', 'test/door/conversation.test.ts', 'test/door/tools_in_run.test.ts'),

  done('nanoclaw.define', 'test/tools/registry.test.ts', 'test/door/write_a_tool.test.ts'),
  done('nanoclaw.result', 'test/tools/registry.test.ts', 'test/door/tool_context.test.ts'),
  done('nanoclaw.executor', 'test/runtime/tool_limits.test.ts', 'test/runtime/result_cache.test.ts', 'test/door/tool_limits.test.ts'),
  done('nanoclaw.crawler', 'test/tools/builtin/web.test.ts', 'test/door/web_tools.test.ts', 'test/door/every_tool.test.ts'),
  done(
    'nanoclaw.data',
    'test/tools/data_services/calculator.test.ts',
    'test/tools/builtin/data_tools.test.ts',
    'test/door/every_tool.test.ts',
  ),
  done('nanoclaw.weather', 'test/tools/builtin/data_tools.test.ts', 'test/door/every_tool.test.ts'),
  done('nanoclaw.file', 'test/tools/builtin/file_tools.test.ts', 'test/door/every_tool.test.ts'),
  done('nanoclaw.services', 'test/tools/data_services/services.test.ts'),

  done('beaver.spec', 'test/tools/registry.test.ts'),
  done('beaver.context', 'test/door/tool_context.test.ts'),
  open('beaver.registry'),
  open('beaver.assembler'),
  open('beaver.builtins'),
  open('beaver.mcp'),
  done('beaver.runtime_context', 'test/runtime/runtime_context.test.ts', 'test/door/tools_in_run.test.ts'),
  done('beaver.limits', 'test/door/tools_in_run.test.ts', 'test/runtime/history.test.ts'),
  open('beaver.raw_calls'),
  done('beaver.events', 'test/door/conversation.test.ts', 'test/door/tools_and_health.test.ts'),

  open('jarvis.manifest'),
  open('jarvis.validate'),
  open('jarvis.call'),
  open('jarvis.log'),
  open('jarvis.settings'),
  open('jarvis.file_operator'),
  open('jarvis.web_search'),
  open('jarvis.runtimes'),
];
