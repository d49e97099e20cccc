/** Loaded into a gateway by NODE_OPTIONS: at SIGUSR2 it collects garbage and writes its memory to the file BENCH_HEAP_FILE. */
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    for (let i = 0; i < 3; i += 1) collect();
    writeFileSync(process.env.BENCH_HEAP_FILE, JSON.stringify(process.memoryUsage()));
  });
}
