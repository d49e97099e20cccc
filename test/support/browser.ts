/**
 * Starts a real Chromium for tests from the npm package @sparticuz/chromium: no download, no system package, with or without root. The package's
 * own loader unpacks into a shared directory, where two test processes can collide; this loader unpacks atomically.
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const PACKAGE = dirname(dirname(require.resolve('@sparticuz/chromium')));
const CACHE = join(__dirname, '../../node_modules/.cache');
const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const LAUNCH_LIMIT_MS = 30_000;

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
];

/** Starts a browser; close it in the test's clean-up. Falls back to Debian's chromium where the packaged one does not start. */
export async function launchBrowser(): Promise<Browser> {
  try {
    const home = await unpackOnce();
    return await launch(join(home, 'chromium'), environmentOf(home));
  } catch (error) {
    if (!existsSync(SYSTEM_CHROMIUM)) throw error;
    return launch(SYSTEM_CHROMIUM, definedEnvironment());
  }
}

function launch(executablePath: string, env: Record<string, string>): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS, env, headless: true, timeout: LAUNCH_LIMIT_MS });
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
