import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const gateway = process.env.NETA_DEV_GATEWAY ?? 'http://127.0.0.1:7001';

/** `vite --config web/vite.config.mjs` serves the pages with reload and passes everything else on to a running gateway. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The pages run under a content security policy of 'self': nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 7002,
    proxy: {
      '/api': gateway,
      '/socket.io': { target: gateway, ws: true },
    },
  },
});
