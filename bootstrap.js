/* Starts the built gateway. Uses old syntax on purpose: an old Node must be able to print the sentence below. */

function checkNode() {
  var version = process.versions.node.split('.').map(Number);
  if (version[0] > 22 || (version[0] === 22 && version[1] >= 16)) return;
  console.error(
    'neta-gateway needs Node 22.16 or newer, this is ' +
      process.versions.node +
      ': start it with "npm start", which uses the Node that "npm ci" installs. If that Node is missing, run "npm ci" again and let install scripts run.',
  );
  process.exit(1);
}

/*
 * Sets by how much the young part of the heap may grow at once; V8's own factor is 2. While modules load it stays small, because V8 keeps what it
 * has grown to: an idle gateway would hold about 25 MiB that it never needs again. Under load it reaches its usual size in two steps: collections of
 * a small part are frequent, and find much that is still in use.
 */
function setYoungGrowth(factor) {
  require('node:v8').setFlagsFromString('--semi-space-growth-factor=' + factor);
}

/* Resolves with `url`, the address of the gateway, and `isLocked`: every caller needs a key or a login. */
function start() {
  checkNode();
  if (!require('node:fs').existsSync(__dirname + '/dist/src/main.js')) {
    console.error('neta-gateway is not built yet: run "npm ci && npm run build", or copy the directory dist from a build.');
    process.exit(1);
  }
  /*
   * Keeps compiled code beside the build, where only users can write who may change the build itself. Without the right to write, Node keeps no
   * compiled code.
   */
  require('node:module').enableCompileCache(__dirname + '/dist/compile_cache');
  setYoungGrowth(1);
  return require('./dist/src/main.js')
    .main(__dirname)
    .finally(() => setYoungGrowth(8));
}

module.exports = { checkNode: checkNode, start: start };
if (require.main === module) start();
