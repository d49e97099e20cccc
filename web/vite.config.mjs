import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const gateway = process.env.NETA_DEV_GATEWAY ?? 'http://127.0.0.1:7001';

/** `vite --config web/vite.config.mjs` serves the pages with reload and forwards all other requests to a running gateway. */
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
    // These browsers support light-dark(); for older ones Vite would replace it with larger rules.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy of the pages is 'self': do not inline assets as data: URLs or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Swagger UI is one large file. Only the API page loads it.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: ['index.html', 'docs.html'].map(page => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
  server: {
    port: 7002,
    proxy: {
      // Keep the Host header of the browser: the gateway serves only pages of the address in it.
      '/api': { target: gateway, changeOrigin: false },
      '/openapi.json': { target: gateway, changeOrigin: false },
      '/socket.io': { target: gateway, changeOrigin: false, ws: true },
    },
  },
});
