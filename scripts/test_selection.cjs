/**
 * Which test files each test command runs. The kind of a file follows from what the file and its helpers in test/ import and call:
 * `unit` starts no process; `door` starts a gateway or another program; `slow` needs a browser, PostgreSQL, faults, hostile input or a gateway
 * that ends and starts again.
 */
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = dirname(__dirname);

/** Helpers that make a test slow, as paths or beginnings of paths. */
const SLOW_HELPERS = ['test/support/browser.ts', 'test/support/postgres_server.ts', 'test/fault/', 'test/hostile/'];
/** Calls that end a gateway in the middle of a test. */
const ENDS_GATEWAY = /\.(restart|terminate|kill|exited|startAnother)\(/;
const STARTS_PROCESS = ['test/support/gateway.ts', 'node:child_process'];

/** One test file for each door, page and feature; `npm test` runs it whatever its kind is. */
const TELLING = {
  doors: {
    'Socket.IO': 'test/door/conversation.test.ts',
    REST: 'test/door/every_route.test.ts',
    'OpenAI chat completions': 'test/door/openai_chat.test.ts',
    'OpenAI responses': 'test/door/openai_responses.test.ts',
    MCP: 'test/door/mcp_door.test.ts',
    'AG-UI': 'test/door/agui.test.ts',
    ACP: 'test/cli/acp.test.ts',
    'Durable Streams': 'test/door/durable_streams.test.ts',
    'command line': 'test/cli/neta.test.ts',
    'every door': 'test/door/every_door.test.ts',
  },
  pages: {
    chat: 'test/e2e/turns.test.ts',
    docs: 'test/e2e/docs_page.test.ts',
    embed: 'test/e2e/embed.test.ts',
    files: 'test/e2e/files_view.test.ts',
    ops: 'test/e2e/ops_frame.test.ts',
    jobs: 'test/e2e/jobs_view.test.ts',
    memory: 'test/e2e/memory_view.test.ts',
    prompts: 'test/e2e/memory_view.test.ts',
    settings: 'test/e2e/views.test.ts',
    skills: 'test/e2e/skills_view.test.ts',
    tools: 'test/e2e/tools_view.test.ts',
  },
  features: {
    approvals: 'test/door/approvals.test.ts',
    crew: 'test/door/crew.test.ts',
    idempotency: 'test/door/idempotency.test.ts',
    images: 'test/door/images.test.ts',
    jobs: 'test/door/jobs.test.ts',
    keys: 'test/door/keys.test.ts',
    limits: 'test/door/limits.test.ts',
    manifests: 'test/door/manifests.test.ts',
    'MCP servers': 'test/door/mcp.test.ts',
    memory: 'test/door/memory.test.ts',
    metrics: 'test/door/metrics.test.ts',
    'operator pages': 'test/door/ops.test.ts',
    'recovery after a crash': 'test/door/crash.test.ts',
    replay: 'test/door/replay.test.ts',
    search: 'test/door/search.test.ts',
    skills: 'test/door/skills.test.ts',
    'tool choice': 'test/door/tool_choice.test.ts',
    traces: 'test/door/traces.test.ts',
    webhooks: 'test/door/webhooks.test.ts',
  },
};

/** All test files, as paths from the root. */
function testFiles() {
  const names = readdirSync(join(root, 'test'), { recursive: true });
  return names
    .filter(name => name.endsWith('.test.ts'))
    .map(name => join('test', name))
    .sort();
}

/** Returns `unit`, `door` or `slow`. */
function kindOf(file) {
  const imported = importsOf(file, new Set());
  const imports = name => [...imported].some(path => path === name || (name.endsWith('/') && path.startsWith(name)));
  const startsProcess = STARTS_PROCESS.some(imports);
  if (SLOW_HELPERS.some(imports) || (startsProcess && ENDS_GATEWAY.test(textOf(file)))) return 'slow';
  return startsProcess ? 'door' : 'unit';
}

/** Returns the files of a selection: `unit`, `quick` (what `npm test` runs), `rest` (all others) or `all`. */
function selectTests(command) {
  const telling = new Set(Object.values(TELLING).flatMap(Object.values));
  const isQuick = file => kindOf(file) !== 'slow' || telling.has(file);
  const choose = { unit: file => kindOf(file) === 'unit', quick: isQuick, rest: file => !isQuick(file), all: () => true }[command];
  if (!choose) throw new Error(`There is no selection "${command}": expected unit, quick, rest or all.`);
  return testFiles().filter(choose);
}

/** Collects what a file and its helpers below test/ import: paths of helpers and names of packages. */
function importsOf(file, seen) {
  for (const [, name] of textOf(file).matchAll(/(?:from|require\(|import\() ?'([^']+)'/g)) {
    const path = name.startsWith('.') ? helperPath(join(dirname(file), name)) : name;
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    if (path.startsWith('test/')) importsOf(path, seen);
  }
  return seen;
}

/** Returns the path of a helper with its ending; undefined for files outside test/. */
const helperPath = path =>
  ['', '.ts', '.cjs', '.mjs']
    .map(ending => path + ending)
    .find(candidate => candidate.startsWith('test/') && /\.\w+$/.test(candidate) && existsSync(join(root, candidate)));

const textOf = file => readFileSync(join(root, file), 'utf8');

module.exports = { root, TELLING, kindOf, selectTests };
