#!/usr/bin/env node
/** The program `neta`: builds when needed, then runs the command line. */
import { createRequire } from 'node:module';
import { buildIfNeeded } from './build_if_needed.mjs';

const require = createRequire(import.meta.url);
require('../bootstrap.js').checkNode();
buildIfNeeded();
process.exitCode = await require('../dist/src/cli/neta.js').main(process.argv.slice(2), process.env);
