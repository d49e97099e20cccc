/**
 * Requirements of the seed documents, and the tests that prove them. test/requirements.test.ts checks the table: each proof is a test file with
 * the requirement's id in the name of a test.
 *
 * - `done`: a user or a program can do it. At least one proof goes through a door of the running gateway.
 * - `api only`: functions do it and their tests prove it, but no run and no door uses them yet.
 * - `open`: something is missing; `missing` says what.
 */
export type Requirement =
  | { id: string; state: 'done' | 'api only'; provenBy: readonly string[] }
  | { id: string; state: 'open'; missing: string };

/** Paths are relative to test/, without `.test.ts`. */
const done = (id: string, ...provenBy: string[]): Requirement => ({ id, state: 'done', provenBy });

export const REQUIREMENTS: readonly Requirement[] = [
  done('neta.catalog.schema', 'tools/catalog', 'door/tools_and_health'),
  done('neta.catalog.queries', 'tools/catalog', 'door/tools_and_health'),
  done('neta.catalog.toolsets', 'tools/catalog', 'door/memory', 'door/skills'),
  done('neta.catalog.central', 'tools/catalog', 'door/tools_and_health'),
  done('neta.patch.params', 'tools/builtin/patch', 'door/patch'),
  done('neta.patch.nine', 'tools/fuzzy_match', 'door/seed_requirements'),
  done('neta.patch.result', 'tools/fuzzy_match', 'tools/builtin/patch', 'door/patch'),
  done('neta.clarify.params', 'tools/builtin/clarify', 'door/seed_requirements'),
  done('neta.clarify.blocking', 'door/clarify_socket', 'tools/builtin/clarify'),
  done('neta.clarify.degraded', 'door/clarify_rest', 'tools/builtin/clarify'),
  done('neta.clarify.protocol', 'door/clarify_socket', 'gateway/protocol'),
  done('neta.crew.tools', 'runtime/prompt_builder', 'runtime/prompt_guidance', 'door/crew'),
  done('neta.prompt.enforcement', 'runtime/prompt_guidance', 'door/seed_requirements'),
  done('neta.prompt.behavior', 'runtime/prompt_guidance', 'door/seed_requirements'),
  done('neta.prompt.names', 'runtime/prompt_builder', 'door/crew'),
  done('neta.todo', 'runtime/todo_store', 'tools/todo_tool', 'door/seed_requirements'),
  done('neta.executor', 'door/conversation', 'door/crew', 'door/models'),

  done('nanoclaw.define', 'tools/registry', 'tools/agent_tool_decorator', 'door/write_a_tool', 'clients/tools_example'),
  done('nanoclaw.result', 'tools/registry', 'door/tool_context', 'door/direct_data'),
  done(
    'nanoclaw.executor',
    'runtime/tool_executor',
    'clients/tools_example',
    'runtime/tool_runner/tool_limits',
    'runtime/tool_runner/result_cache',
    'door/tool_limits',
    'door/models',
  ),
  done('nanoclaw.crawler', 'tools/builtin/fetch_page', 'tools/builtin/crawl_batch', 'door/web_tools', 'door/direct_data'),
  // The calculator also knows pi, e and 13 functions; it evaluates no other name and no other call.
  done('nanoclaw.data', 'tools/data_services/calculator', 'tools/builtin/text_process', 'tools/builtin/json_process', 'door/every_tool'),
  done('nanoclaw.weather', 'tools/builtin/get_weather', 'door/every_tool'),
  done('nanoclaw.file', 'tools/builtin/file_write', 'tools/builtin/file_read', 'tools/workspace_refusal', 'door/every_tool'),
  done('nanoclaw.services', 'tools/data_services/services', 'door/web_tools'),

  done('beaver.spec', 'door/foreign_tools', 'tools/registry', 'tools/tool_exports'),
  done('beaver.context', 'door/tool_context'),
  done('beaver.registry', 'door/foreign_tools', 'tools/registry', 'tools/foreign_tools'),
  done('beaver.assembler', 'door/tool_choice', 'feature/tool_choice/choose_tools', 'feature/tool_choice/tool_ranking'),
  done('beaver.builtins', 'door/memory', 'door/skills'),
  done('beaver.mcp', 'door/mcp', 'door/mcp_hostile', 'door/mcp_crash'),
  done('beaver.runtime_context', 'runtime/runtime_context', 'door/tools_in_run'),
  done('beaver.limits', 'door/tools_in_run', 'door/context_window', 'runtime/history'),
  done('beaver.raw_calls', 'door/raw_calls', 'runtime/raw_calls/corpus'),
  done('beaver.events', 'door/conversation', 'door/tools_and_health'),

  done('jarvis.manifest', 'door/manifests', 'feature/manifests/check_tools'),
  done('jarvis.validate', 'door/manifests', 'feature/manifests/check_tools'),
  done('jarvis.call', 'door/shipped_manifests', 'door/direct_calls'),
  done('jarvis.log', 'door/shipped_manifests', 'door/direct_calls'),
  done('jarvis.settings', 'door/manifests', 'feature/manifests/check_tools'),
  done('jarvis.file_operator', 'door/shipped_manifests', 'config/tools/file_operator'),
  done('jarvis.web_search', 'door/shipped_manifests'),
  done('jarvis.runtimes', 'door/manifests', 'door/manifest_processes'),
];
