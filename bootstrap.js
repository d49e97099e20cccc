/* Starts the built gateway. Plain old syntax on purpose: an old Node must get as far as the sentence below. */

var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 16)) {
  console.error(
    'neta-gateway needs Node 22.16 or newer, this is ' + process.versions.node + ': start it with "npm start", which brings its own.',
  );
  process.exit(1);
}
if (!require('node:fs').existsSync(__dirname + '/dist/src/main.js')) {
  console.error('neta-gateway is not built yet: run "npm start", or "npm run build" first.');
  process.exit(1);
}
require('./dist/src/main.js').main(__dirname);
