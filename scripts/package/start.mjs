/** Starts the gateway of this folder, below the supervisor. */
import { createRequire } from 'node:module';
import { printNextSteps } from './next_steps.mjs';

const require = createRequire(import.meta.url);
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
await require('../dist/src/cli/gateway_folder.js').openFolder('.');
const started = await require('../bootstrap.js').start();
process.send?.({ url: started.url });
printNextSteps(started, [`files  ${process.env.NETA_HOME} (config, data, workspace)`]);
