/** `npm start`: builds when needed, starts the gateway, says what to do next. */
import { createRequire } from 'node:module';
import { buildIfNeeded, root } from './build_if_needed.mjs';

buildIfNeeded();
const { main } = createRequire(import.meta.url)('../dist/src/main.js');
const url = await main(root);
console.log(`
  chat   open ${url} in a browser
  REST   curl -s ${url}/api/v1/runs -H 'content-type: application/json' -d '{"input":"list the files"}'
  docs   ${url}/docs
  stop   Ctrl+C
`);
