/**
 * Starts a real Chromium for tests from the npm package @sparticuz/chromium: no download, no system package, with or without root. The package's
 * own loader unpacks into a shared directory, where two test processes can collide; this loader unpacks atomically.
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import type { Browser, BrowserServer, Download } from 'playwright-core';

const PACKAGE = dirname(dirname(require.resolve('@sparticuz/chromium')));
const CACHE = join(__dirname, '../../node_modules/.cache');
const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const LAUNCH_LIMIT_MS = 30_000;

/** Name of the environment variable with the URL that answers with the address of the browser: test/support/shared_browser.ts. */
export const BROWSER_URL = 'NETA_TEST_BROWSER_URL';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  // The microphone is a tone, and every page may use it.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/** Loads Playwright when a browser is needed: every test run loads this file. */
const loadChromium = async () => (await import('playwright-core')).chromium;

/** Connects to the one browser of the test run; `close` in the test's clean-up closes what the test opened in it. */
export async function launchBrowser(): Promise<Browser> {
  const url = process.env[BROWSER_URL];
  if (url === undefined) throw new Error(`${BROWSER_URL} is not set: run the tests with the jest.config.js of this repository.`);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the browser of the test run did not start: ${await response.text()}`);
  return (await loadChromium()).connect(await response.text());
}

/** Starts the browser. Falls back to Debian's chromium where the packaged one does not start. */
export async function startBrowserServer(): Promise<BrowserServer> {
  try {
    const home = await unpackOnce();
    return await launchServer(join(home, 'chromium'), environmentOf(home));
  } catch (error) {
    if (!existsSync(SYSTEM_CHROMIUM)) throw error;
    return launchServer(SYSTEM_CHROMIUM, definedEnvironment());
  }
}

/** Reads a file that the page offers as a download. */
export async function textOfDownload(download: Download): Promise<string> {
  return text(await download.createReadStream());
}

async function launchServer(executablePath: string, env: Record<string, string>): Promise<BrowserServer> {
  return (await loadChromium()).launchServer({ executablePath, args: FLAGS, env, headless: true, timeout: LAUNCH_LIMIT_MS });
}

/** The directory with `chromium`, `lib/` and `fonts/` of this package version. */
async function unpackOnce(): Promise<string> {
  // Every package.json has a version.
  const { version } = require(join(PACKAGE, 'package.json')) as { version: string };
  const home = join(CACHE, `chromium-${version}`);
  if (existsSync(home)) return home;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, 'chromium-draft-'));
  try {
    await unpackBinary(draft);
    unpackArchive('al2023.tar.br', draft);
    unpackArchive('fonts.tar.br', draft);
    await writeFile(join(draft, 'fonts.conf'), fontSettings(join(home, 'fonts')));
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another test process has unpacked it first.
    if (!existsSync(home)) throw error;
  }
  return home;
}

async function unpackBinary(directory: string): Promise<void> {
  const path = join(directory, 'chromium');
  await pipeline(createReadStream(join(PACKAGE, 'bin/chromium.br')), createBrotliDecompress(), createWriteStream(path));
  await chmod(path, 0o755);
}

/** Passes the archive (a few MB) as a whole: tar may stop reading before the padding at the end, which a pipe would report as an error. */
function unpackArchive(name: string, directory: string): void {
  const input = brotliDecompressSync(readFileSync(join(PACKAGE, 'bin', name)));
  const { status, stderr } = spawnSync('tar', ['-x', '-C', directory], { input });
  if (status !== 0) throw new Error(`tar could not unpack ${name}: ${stderr}`);
}

/** Adds libraries and a font for machines without them; a machine with fonts keeps its own settings. */
function environmentOf(home: string): Record<string, string> {
  const env = definedEnvironment();
  const libraries = [join(home, 'lib'), env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  const own = { ...env, LD_LIBRARY_PATH: libraries };
  return existsSync('/etc/fonts/fonts.conf') ? own : { ...own, FONTCONFIG_FILE: join(home, 'fonts.conf') };
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function fontSettings(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;
}
