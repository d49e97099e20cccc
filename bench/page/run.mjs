/**
 * `npm run bench:page`: measures the chat page in Chromium against its budgets: size and first paint of a first visit, the longest task while a long
 * answer streams, and nodes and frames of a chat of 2,000 turns. Exits with 1 when a figure misses its goal by more than a tenth.
 */
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded, root } from '../../scripts/build_if_needed.mjs';
import { CPU_RATE, measureApiPage, measureFirstVisit, measureLongChat, measureStream, sizeOfFirstLoad } from './measures.mjs';

const MISS = 1.1;
const ANSWER_CHARACTERS = 35_000;
const PIECES = 1_200;
const PIECE_DELAY_MS = 4;
const TURNS = 2_000;

const require = createRequire(import.meta.url);
require('../../test/support/typescript_hook.cjs');
const { startBrowserServer } = require('../../test/support/browser.ts');
const { startGateway } = require('../../test/support/gateway.ts');
const { startMockModel } = require('../../test/support/mock_model.ts');
const { fillLongChat, LONG_CHAT } = require('../../test/support/long_chat.ts');
const { chromium } = require('playwright-core');

buildIfNeeded();
const load = () => loadavg()[0].toFixed(1);
const loadBefore = load();
const stops = [];
try {
  const rows = await measure();
  console.log('\n| figure | goal | measured |\n|---|---:|---:|');
  for (const { name, goal, value, unit } of rows)
    console.log(`| ${name} | ${goal ?? ''} | ${value.toFixed(unit === 'kB' ? 1 : 0)} ${unit} |`);
  console.log(`\nLoad of the machine before and after: ${loadBefore}, ${load()}`);
  for (const { name, goal, value } of rows) {
    if (goal === undefined || value <= goal * MISS) continue;
    console.error(`${name}: ${value.toFixed(1)} misses ${goal} by more than 10 %`);
    process.exitCode = 1;
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function measure() {
  const model = await startMockModel();
  stops.push(() => model.stop());
  const chunkSize = Math.floor(ANSWER_CHARACTERS / PIECES);
  model.onTurn('write at length', { text: longAnswer(), chunkSize, chunkDelayMs: PIECE_DELAY_MS });
  const gateway = await startGateway({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none', NETA_MODEL: 'mock-1' } });
  stops.push(() => gateway.stop());
  await fillLongChat({ path: join(gateway.dataDir, 'neta.db'), turns: TURNS, messagesOf });
  const server = await startBrowserServer();
  stops.push(() => server.close());
  const browser = await chromium.connect(server.wsEndpoint());
  const visit = await measureFirstVisit(browser, gateway.url);
  const stream = await measureStream(browser, gateway.url, 'write at length');
  const api = await measureApiPage(browser, gateway.url);
  const chat = await measureLongChat(browser, `${gateway.url}/?session=${LONG_CHAT}`);
  return [
    { name: 'first load: page, scripts and styles, gzip', goal: 110, value: sizeOfFirstLoad(root) / 1_000, unit: 'kB' },
    { name: 'empty chat with everything that it loads later, as sent', value: visit.bytes / 1_000, unit: 'kB' },
    { name: 'first paint at 4x CPU and 1.6 Mbit/s', goal: 1_000, value: visit.firstPaintMs, unit: 'ms' },
    { name: 'message field usable at the same', value: visit.usableMs, unit: 'ms' },
    { name: `longest task, ${ANSWER_CHARACTERS} characters in ${PIECES} pieces`, goal: 100, value: stream.longestTaskMs, unit: 'ms' },
    { name: 'tasks over 50 ms in it', value: stream.longTasks, unit: '' },
    { name: 'processor time of the longest task', value: stream.longestTaskCpuMs, unit: 'ms' },
    { name: `the same, times ${CPU_RATE}`, goal: 100, value: stream.longestTaskCpuMs * CPU_RATE, unit: 'ms' },
    { name: 'longest task as the API page opens', goal: 100, value: api.longestTaskMs, unit: 'ms' },
    { name: `its processor time, times ${CPU_RATE}`, goal: 100, value: api.longestTaskCpuMs * CPU_RATE, unit: 'ms' },
    { name: `nodes of a chat of ${TURNS} turns as it opens`, goal: 3_000, value: chat.firstNodes, unit: '' },
    { name: `nodes with all ${TURNS} turns shown`, goal: 3_000, value: chat.nodes, unit: '' },
    { name: 'frame while scrolling them, 95th percentile', goal: 33, value: chat.frameMs, unit: 'ms' },
    { name: 'longest frame', value: chat.longestFrameMs, unit: 'ms' },
    { name: 'processor time of a frame, mean', value: chat.frameCpuMs, unit: 'ms' },
  ];
}

/** The messages of one turn of the long chat. */
function messagesOf(ordinal) {
  const answer =
    'Beans grow in this bed. They need **no feeding**, and `water` in the morning.\n\n- sow after the last frost\n- harvest in summer';
  return [
    { role: 'user', content: `Question ${ordinal}: what grows here?` },
    { role: 'assistant', content: answer },
  ];
}

/** Paragraphs, lists and code: an answer as models write it. */
function longAnswer() {
  const part = `## Beds and beans

Beans need **no feeding** and grow quickly; see \`beds.md\` for the dates of each bed.

- sow after the last frost
- water in the morning

\`\`\`js
const harvest = sown + 60 * DAY_MS;
\`\`\`

`;
  return part.repeat(Math.ceil(ANSWER_CHARACTERS / part.length)).slice(0, ANSWER_CHARACTERS);
}
