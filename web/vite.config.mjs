import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { findChatModules, isChatModule, widgetScript } from './embed_plugins.mjs';
import { listPackages } from './package_list_plugin.mjs';
import { pageHead } from './page_head.mjs';
import { workerPlugin } from './worker_plugin.mjs';

/** Every place below /ops is one page, which reads the rest of the address itself. The page of the embedded chat has an address of its own. */
const toPage = (request, _response, next) => {
  if (/^\/ops(?:[/?]|$)/.test(request.url ?? '')) request.url = '/ops.html';
  if (/^\/demo\/widget(?:[/?]|$)/.test(request.url ?? '')) request.url = '/demo.html';
  next();
};

const gateway = process.env.NETA_DEV_GATEWAY ?? 'http://127.0.0.1:7001';

/** Every browser that can show the pages reads woff2; KaTeX names two older formats beside it. */
const onlyWoff2 = {
  name: 'only-woff2',
  enforce: 'pre',
  transform: (code, id) => (/katex\S*\.css/.test(id) ? code.replaceAll(/,url\([^)]+\.(?:woff|ttf)\) format\("[a-z]+"\)/g, '') : undefined),
};

// These browsers support light-dark(); for older ones Vite would replace it with larger rules.
const target = { target: 'es2022', cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'] };

/** Modules that the chat page loads at once and other pages use too. */
const SHARED =
  /node_modules\/preact\/|vite\/preload-helper|rolldown\/runtime|web\/src\/(?:i18n\/|styles\/(?:tokens|base|overlays|views|markdown)\b|api\/(?:call_rest|request_error)|state\/scope_context|platform\/(?:preferences|plain_click|session_url|view_url|drafts|unique_id|store)|components\/answer\/markdown_view|markdown\/file_links|components\/basic\/(?:confirm_dialog|copy_button|icon|kept_state|lazy|logo|memo|notice_toast|preference_controls|use_now|view_spinner))/;

/** `vite --config web/vite.config.mjs` serves the pages with reload and forwards all other requests to a running gateway. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative links, so that the pages work below any path that a proxy shows the gateway at.
  base: './',
  logLevel: 'warn',
  resolve: { alias: { entities: fileURLToPath(new URL('src/markdown/html_entities.ts', import.meta.url)) } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    ...target,
    // The content security policy of the pages is 'self': do not inline assets as data: URLs or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // mermaid is one large file, loaded with the first diagram.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: ['index.html', 'demo.html', 'docs.html', 'embed.html', 'ops.html', 'shared.html'].map(page =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
      // One file for what the chat page shares with the others, and one for the rest of it, which the embedded chat loads too: many small files
      // compress worse, and the chat page must stay small.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: SHARED, priority: 2 },
            { name: 'chat_page', test: isChatModule, priority: 1 },
          ],
        },
      },
    },
  },
  // The gateway has other addresses for some pages; so does this server.
  plugins: [
    pageHead,
    onlyWoff2,
    widgetScript(target),
    findChatModules,
    workerPlugin,
    listPackages('../dist/page_packages.json'),
    { name: 'page-addresses', configureServer: server => void server.middlewares.use(toPage) },
  ],
  server: {
    port: 7002,
    proxy: {
      // Keep the Host header of the browser: the gateway serves only pages of the address in it.
      '/api': { target: gateway, changeOrigin: false },
      '/neta-chat.js': { target: gateway, changeOrigin: false },
      '/openapi.json': { target: gateway, changeOrigin: false },
      '/socket.io': { target: gateway, changeOrigin: false, ws: true },
    },
  },
});
