/**
 * `npm run bench:search`: measures the search in messages and in memories at 1,000 to 100,000 rows, on a real database in a temporary
 * directory. cold: the first search after the database was opened; warm: median of the next ones; both are wall time, and a warm search must take
 * at most 50 ms. The CPU time counts when the machine does other work too. A statement holds the event loop, so a time here is also a delay of
 * everything else. `choose the memory block` is what the first turn of a session pays for the memories of its tenant. Options: --sizes 1000,2000, --root <directory of another build>.
 */

import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root as here } from '../../scripts/build_if_needed.mjs';
import { openBuiltStore } from '../built_store.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';
import { createCorpus } from './corpus.mjs';
import { addMemories } from './fill_memories.mjs';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '1000,2000,10000,100000' }, root: { type: 'string', default: here } },
});
const root = resolve(options.root);
if (root === here) buildIfNeeded();
const require = createRequire(join(root, 'package.json'));
const load = name => require(`./dist/src/${name}.js`);
const { SearchService } = load('feature/search/search_service');

const TENANT = 'default';
const NOW = 1_760_000_000_000;
const MINUTE_MS = 60_000;
const MESSAGES_PER_SESSION = 20;
const ROWS_PER_COMMIT = 500;
const WARM_SEARCHES = 30;
const DEEP_PAGES = 100;
/** A word of no message; the corpus makes none with x. */
const ABSENT = 'xylem';
/** Memories of one tenant. */
const MAX_MEMORIES = 2_000;
/** Milliseconds of wall time of a warm search on an otherwise quiet machine. */
const GOAL_MS = 50;

const clock = { now: () => NOW, monotonic: () => performance.now() };

/** Fills and indexes the messages. Resolves the CPU time of each part of the indexing, in milliseconds. */
async function fillMessages(store, corpus, count) {
  for (let first = 0; first < count; first += ROWS_PER_COMMIT) {
    await store.transaction('none', async tx => {
      const rows = [];
      for (let i = first; i < Math.min(count, first + ROWS_PER_COMMIT); i += 1) {
        const sessionId = `ses_${Math.floor(i / MESSAGES_PER_SESSION)}`;
        const createdAt = NOW - (count - i) * MINUTE_MS;
        if (i % MESSAGES_PER_SESSION === 0) {
          const title = corpus.text(i).slice(0, 40);
          const settings = { agent: 'default', locale: 'en', thinkingLevel: 'off' };
          await tx.sessions.insert({ tenantId: TENANT, id: sessionId, title, ...settings, createdAt, updatedAt: createdAt });
        }
        const message = { role: i % 2 === 0 ? 'user' : 'assistant', content: corpus.text(Math.floor(i / 2)) };
        rows.push({ tenantId: TENANT, id: `msg_${i}`, sessionId, runId: 'run_1', runOrdinal: 1, position: i, message, createdAt });
      }
      await tx.messages.insert(rows);
    });
  }
  const parts = [];
  for (let isMore = true; isMore; ) {
    const indexPart = async () => {
      isMore = await store.transaction('none', tx => tx.searchIndex.indexNext());
    };
    parts.push((await timeOf(indexPart)).cpu);
  }
  return parts;
}

/** Name -> query. The words of a rank are about as common as in natural text. */
function messageQueries({ english, chinese }) {
  const common = english.slice(0, 12).join(' ');
  return {
    'a rare word': { query: english.at(-1_000) },
    'two words': { query: `${english[40]} ${english[300]}` },
    'the beginning of a word': { query: english[500].slice(0, 3) },
    'a Chinese word of two characters': { query: chinese.find((word, i) => i > 200 && word.length === 2) },
    'Chinese and English': { query: `${chinese[30]} ${english[30]}` },
    'the most common word': { query: english[0] },
    'the most common words': { query: common },
    'one very common Chinese character': { query: chinese[0].slice(0, 1) },
    'a question that no message holds': { query: `${english[0]} ${english[1]} ${english[2]} ${ABSENT}` },
    'the most common words, and one that no message holds': { query: `${common} ${ABSENT}` },
    'the most common word, one session': { query: english[0], sessionId: 'ses_7' },
    'the most common word, one role, the last hour': { query: english[0], role: 'user', since: NOW - 60 * MINUTE_MS },
  };
}

/** Wall time and CPU time of one run, in milliseconds. */
async function timeOf(run) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - start, cpu: (user + system) / 1_000 };
}

const show = value => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** `search(store)` resolves a function that searches once. Resolves 'cold / warm median / CPU of the warm median', in milliseconds. */
async function measure(path, search) {
  const store = await openBuiltStore({ root, path });
  const run = await search(store);
  const cold = await timeOf(run);
  const warm = [];
  for (let i = 0; i < WARM_SEARCHES; i += 1) warm.push(await timeOf(run));
  await store.close();
  const wall = median(warm.map(({ wall }) => wall));
  const late = wall > GOAL_MS ? ` (over ${GOAL_MS} ms)` : '';
  return [cold.wall, wall, median(warm.map(({ cpu }) => cpu))].map(show).join(' / ') + late;
}

/** Bytes of the tokens, and of the row that says which message they are. */
function indexBytes(path) {
  const database = new DatabaseSync(path, { readOnly: true });
  const { bytes } = database
    .prepare(
      "select sum(pgsize) as bytes from dbstat where name like '%search_index%' or name like 'search_documents%' or name like '%_search_documents%'",
    )
    .get();
  database.close();
  return bytes;
}

const serviceOver = store => new SearchService({ store, clock, indexer: { catchUp: async () => {} } });

/** Walks to a late page, then makes a function that reads it. */
const deepPage = query => async store => {
  const service = serviceOver(store);
  let cursor;
  for (let i = 0; i < DEEP_PAGES; i += 1) {
    const page = await service.searchMessages(TENANT, { query }, { limit: 20, ...(cursor !== undefined && { cursor }) });
    cursor = page.nextCursor ?? cursor;
  }
  return () => service.searchMessages(TENANT, { query }, { limit: 20, cursor });
};

/** Makes a function that chooses the block of a new session. */
async function chooseBlocks(store, corpus) {
  const { MemoryBlocks } = load('feature/memory/memory_blocks');
  const blocks = new MemoryBlocks({ store, clock: { ...clock, after: () => () => {} }, onError: console.error });
  let sessions = 0;
  const choose = () => {
    sessions += 1;
    return blocks.blockFor(
      { tenantId: TENANT, sessionId: `new_${sessions}`, ordinal: 1, epoch: 1, input: corpus.text(sessions) },
      { agentText: 'An agent', isFirst: true },
      write => void store.transaction('none', write),
    );
  };
  await choose();
  // The index of the words is built in the background.
  await new Promise(resolve => setTimeout(resolve, 2_000));
  return choose;
}

async function measureSize(home, count) {
  const path = join(home, `${count}.db`);
  const corpus = createCorpus();
  const figures = {};
  const store = await openBuiltStore({ root, path });
  const parts = await fillMessages(store, corpus, count);
  const cpu = parts.reduce((sum, part) => sum + part, 0);
  figures['index a message: CPU'] = (cpu / count).toFixed(2);
  figures['one part of the indexing: CPU, median / p99'] = [
    median(parts),
    parts.toSorted((a, b) => a - b).at(Math.floor(-parts.length / 100)),
  ]
    .map(show)
    .join(' / ');
  figures['index size a message: bytes'] = Math.round(indexBytes(path) / count);
  const hasMemories = typeof store.read.rankMemories === 'function';
  if (hasMemories) await addMemories(store, { corpus, count, end: NOW });
  await store.close();
  for (const [name, search] of Object.entries(messageQueries(corpus))) {
    figures[name] = await measure(path, opened => () => serviceOver(opened).searchMessages(TENANT, search, { limit: 20 }));
  }
  figures[`page ${DEEP_PAGES + 1} of the most common word`] = await measure(path, deepPage(corpus.english[0]));
  const title = { title: corpus.english[900] };
  figures['titles of sessions'] = await measure(path, opened => () => opened.read.sessions.list(TENANT, { limit: 50 }, title));
  if (hasMemories) {
    const queries = {
      'memories: two words': `${corpus.english[40]} ${corpus.english[300]}`,
      'memories: a Chinese word': corpus.chinese[100],
    };
    queries['memories: the most common words'] = corpus.english.slice(0, 12).join(' ');
    for (const [name, query] of Object.entries(queries)) {
      figures[name] = await measure(path, opened => () => opened.read.memories.rank(TENANT, query, 5));
    }
    if (count <= MAX_MEMORIES) figures['choose the memory block'] = await measure(path, opened => chooseBlocks(opened, corpus));
  }
  return figures;
}

const home = makeTemporaryDirectory('neta-search-');
try {
  const sizes = options.sizes.split(',').map(Number);
  const columns = [];
  for (const size of sizes) columns.push(await measureSize(home, size));
  console.log('Milliseconds: wall time cold / wall time warm (median) / CPU time warm (median).\n');
  console.log(`| | ${sizes.map(size => size.toLocaleString('en')).join(' | ')} |\n|---|${sizes.map(() => '---|').join('')}`);
  for (const figure of Object.keys(columns[0])) console.log(`| ${figure} | ${columns.map(column => column[figure]).join(' | ')} |`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
