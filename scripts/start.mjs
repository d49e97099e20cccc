/** `npm start`: builds when needed, starts the gateway, prints the next steps. */
import { createRequire } from 'node:module';
import { buildIfNeeded } from './build_if_needed.mjs';

const { checkNode, start } = createRequire(import.meta.url)('../bootstrap.js');
checkNode();
buildIfNeeded();
const url = await start();
console.log(`
  chat   open ${url} in a browser
  REST   curl -s ${url}/api/v1/runs -H 'content-type: application/json' -d '{"input":"list the files"}'
  docs   ${url}/docs
  stop   Ctrl+C
`);
