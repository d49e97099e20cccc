import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const gateway = process.env.NETA_DEV_GATEWAY ?? 'http://127.0.0.1:7001';

/** `vite --config web/vite.config.mjs` serves the pages with reload and passes everything else on to a running gateway. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  logLevel: 'warn',
  resolve: { alias: { entities: fileURLToPath(new URL('src/markdown/html_entities.ts', import.meta.url)) } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // From here on browsers know light-dark(); without this the style sheet would carry a larger stand-in for it.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The pages run under a content security policy of 'self': nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Swagger UI is one large file, which only the API page loads.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: ['index.html', 'docs.html'].map(page => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
  server: {
    port: 7002,
    proxy: {
      // The Host header stays as the browser sent it: the gateway serves only pages of the address in it.
      '/api': { target: gateway, changeOrigin: false },
      '/openapi.json': { target: gateway, changeOrigin: false },
      '/socket.io': { target: gateway, changeOrigin: false, ws: true },
    },
  },
});
