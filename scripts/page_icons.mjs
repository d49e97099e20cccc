/** `npm run icons`: draws the PNG icons of the chat page from the SVG files in web/public. Run it after changing one of these. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
require('../test/support/typescript_hook.cjs');
const { startBrowserServer } = require('../test/support/browser.ts');
const { chromium } = require('playwright-core');

const FOLDER = join(root, 'web/public');

/** An icon that the system cuts to its own shape has no corners of its own. */
const ICONS = [
  { file: 'icon_192.png', from: 'favicon.svg', size: 192 },
  { file: 'icon_512.png', from: 'favicon.svg', size: 512 },
  { file: 'icon_maskable_512.png', from: 'app_icon.svg', size: 512 },
  { file: 'apple_touch_icon.png', from: 'app_icon.svg', size: 180 },
];

const server = await startBrowserServer();
const browser = await chromium.connect(server.wsEndpoint());
for (const { file, from, size } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const svg = readFileSync(join(FOLDER, from), 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`);
  await page.screenshot({ path: join(FOLDER, file), omitBackground: true });
}
await browser.close();
await server.close();
