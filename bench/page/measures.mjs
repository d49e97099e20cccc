/** The measurements of `npm run bench:page`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { traceTasks } from './trace_tasks.mjs';

const ROUNDS = 5;
export const CPU_RATE = 4;
/** 1.6 Mbit/s. */
const BYTES_PER_SECOND = 200_000;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const LONG_TASK_MS = 50;
const FRAMES = 240;
const STEP_PIXELS = 300;
const WAIT_MS = 120_000;
const COMPOSER = '[data-testid="composer"]';
const TURN = '[data-testid="turn"]';
const EARLIER = '[data-testid="show-earlier"]';

const sorted = values => values.toSorted((a, b) => a - b);
const median = values => sorted(values)[Math.floor(values.length / 2)];

/** Bytes with gzip of the page and of the scripts and styles that it names, as test/web/page_size.test.ts counts them. */
export function sizeOfFirstLoad(root) {
  const web = join(root, 'dist/web');
  const html = readFileSync(join(web, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="(?:\.\/)?([^"]+\.(?:js|css))"/g)].map(match => match[1]);
  return ['index.html', ...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(web, file))).length, 0);
}

/** Opens the page as a new person on a slow phone, without a delay of the network beside its rate. Medians. */
export async function measureFirstVisit(browser, url) {
  const paints = [];
  const usable = [];
  const sizes = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
    await page.addInitScript(noteFirst, COMPOSER);
    let bytes = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(url);
    await page.waitForSelector(COMPOSER);
    await page.waitForTimeout(1_000);
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    usable.push(await page.evaluate(() => globalThis.firstAt));
    sizes.push(bytes);
    await context.close();
  }
  return { firstPaintMs: median(paints), usableMs: median(usable), bytes: median(sizes) };
}

/** Runs in the page. Notes when the first element that fits the selector is there, in milliseconds since the visit began. */
function noteFirst(selector) {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    globalThis.firstAt = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Reads a streamed answer to its end, on an unthrottled desktop. The median of each figure. */
export async function measureStream(browser, url, message) {
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const context = await browser.newContext({ viewport: DESKTOP });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    await page.goto(url);
    await page.fill(COMPOSER, message);
    const tasks = await traceTasks(browser, page, async () => {
      await page.press(COMPOSER, 'Enter');
      await page.waitForSelector(`${TURN}[data-state="completed"]`);
      await page.waitForTimeout(1_000);
    });
    const longest = Math.max(...tasks.map(({ ms }) => ms));
    const longestCpu = Math.max(...tasks.map(({ cpuMs }) => cpuMs));
    rounds.push({ longest, longestCpu, long: tasks.filter(({ ms }) => ms > LONG_TASK_MS).length });
    await context.close();
  }
  const medianOf = name => median(rounds.map(each => each[name]));
  return { longestTaskMs: medianOf('longest'), longestTaskCpuMs: medianOf('longestCpu'), longTasks: medianOf('long') };
}

/** Opens the API page on an unthrottled desktop until all of its operations are drawn. The median of each figure. */
export async function measureApiPage(browser, url) {
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const context = await browser.newContext({ viewport: DESKTOP });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    const tasks = await traceTasks(browser, page, async () => {
      await page.goto(`${url}/docs`);
      await page.waitForSelector('.operation');
      await page.waitForTimeout(2_000);
    });
    rounds.push({ longest: Math.max(...tasks.map(({ ms }) => ms)), longestCpu: Math.max(...tasks.map(({ cpuMs }) => cpuMs)) });
    await context.close();
  }
  const medianOf = name => median(rounds.map(each => each[name]));
  return { longestTaskMs: medianOf('longest'), longestTaskCpuMs: medianOf('longestCpu') };
}

/** Shows every turn of a long chat, then scrolls upwards by a step a frame. */
export async function measureLongChat(browser, url) {
  const context = await browser.newContext({ viewport: DESKTOP });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector(TURN);
  await page.waitForTimeout(1_000);
  const countNodes = () => page.evaluate(() => document.getElementsByTagName('*').length);
  const firstNodes = await countNodes();
  await showAllTurns(page);
  const nodes = await countNodes();
  let frames = [];
  const tasks = await traceTasks(browser, page, async () => {
    frames = sorted(await page.evaluate(scrollUp, { frames: FRAMES, step: STEP_PIXELS }));
  });
  await context.close();
  const cpuMs = tasks.reduce((sum, task) => sum + task.cpuMs, 0);
  const frameMs = frames[Math.floor(frames.length * 0.95)];
  return { firstNodes, nodes, frameMs, longestFrameMs: frames.at(-1), frameCpuMs: cpuMs / frames.length };
}

async function showAllTurns(page) {
  while (await page.locator(EARLIER).count()) {
    await page.click(EARLIER);
    await page.waitForFunction(button => !document.querySelector(button)?.disabled, EARLIER);
  }
}

/** Runs in the page. Returns the milliseconds of each frame. */
function scrollUp({ frames, step }) {
  let scroller = document.querySelector('[data-testid="turn"]');
  while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
  scroller.scrollTop = scroller.scrollHeight;
  const times = [];
  return new Promise(resolve => {
    let last = performance.now();
    const next = now => {
      times.push(now - last);
      last = now;
      scroller.scrollTop -= step;
      if (times.length < frames) requestAnimationFrame(next);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(next);
  });
}
