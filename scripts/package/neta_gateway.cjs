#!/usr/bin/env node
/** The program `neta-gateway`: the supervisor of the gateway of this folder. With arguments it is the program `neta`. */
const { supervise } = require('./supervisor.cjs');
const { HOME } = require('./versions.cjs');

if (process.argv.length > 2) require('./neta.cjs');
else supervise(HOME);
