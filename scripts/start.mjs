/** `npm start`: builds when needed, starts the gateway, prints the next steps. */
import { createRequire } from 'node:module';
import { buildIfNeeded } from './build_if_needed.mjs';
import { printNextSteps } from './package/next_steps.mjs';

const { checkNode, start } = createRequire(import.meta.url)('../bootstrap.js');
checkNode();
buildIfNeeded();
printNextSteps(await start());
