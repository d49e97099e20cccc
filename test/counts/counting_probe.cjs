/**
 * Loaded into a gateway by `node --require`. Counts SQL statements, records that the run waits for, encodings of events and allocated bytes,
 * and answers the totals as JSON at the address that it prints. Allocated bytes count only while no garbage collection runs, see counting_gateway.ts.
 */
const { createServer } = require('node:http');
const { Module } = require('node:module');
const { DatabaseSync, StatementSync } = require('node:sqlite');
const { getHeapStatistics, promiseHooks } = require('node:v8');
const { isMainThread } = require('node:worker_threads');

const statements = {};
let records = 0;
let encodings = 0;
let collections = 0;
let promises = 0;

const count = sql => {
  const name = sql.trim().toLowerCase();
  statements[name] = (statements[name] ?? 0) + 1;
};

/** Wraps the methods of a prototype, so that each call counts the SQL text that `sqlOf` finds. */
function countCalls(prototype, names, sqlOf) {
  for (const name of names) {
    const original = prototype[name];
    prototype[name] = function (...args) {
      count(sqlOf(this, args));
      return original.apply(this, args);
    };
  }
}

/** Counts calls of the methods of the run writer that resolve once an event is on disk. */
function countRecords() {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    const prototype = request.endsWith('/run_writer') ? loaded.RunWriter?.prototype : undefined;
    if (prototype && !prototype.isCounted) {
      prototype.isCounted = true;
      for (const name of ['record', 'storeAppended']) {
        const original = prototype[name];
        prototype[name] = function (...args) {
          records += 1;
          return original.apply(this, args);
        };
      }
    }
    return loaded;
  };
}

/** Counts the encodings of complete events, alone or inside a packet. */
function countEncodings() {
  const { stringify } = JSON;
  const isEvent = value => typeof value === 'object' && value !== null && 'seq' in value && 'runId' in value && 'type' in value;
  JSON.stringify = (value, ...rest) => {
    if (isEvent(value) || (Array.isArray(value) && value.some(isEvent))) encodings += 1;
    return stringify(value, ...rest);
  };
}

/** From now on. The hook makes V8 allocate more, so it waits until a test asks for it. */
function countPromises() {
  promiseHooks.onInit(() => {
    promises += 1;
  });
}

const totals = () => ({
  statements,
  records,
  encodings,
  collections,
  promises,
  heapBytes: getHeapStatistics().used_heap_size,
  heapTotalBytes: getHeapStatistics().total_heap_size,
  cpuMs: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
  packages: [...new Set(Object.keys(require.cache).flatMap(path => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))],
});

if (isMainThread) {
  countCalls(StatementSync.prototype, ['run', 'all', 'get', 'iterate'], statement => statement.sourceSQL);
  countCalls(DatabaseSync.prototype, ['exec'], (_, [sql]) => sql);
  countRecords();
  countEncodings();
  new PerformanceObserver(list => {
    collections += list.getEntries().length;
  }).observe({ entryTypes: ['gc'] });
  const server = createServer((request, response) => {
    if (request.url === '/promises') countPromises();
    response.end(JSON.stringify(totals()));
  });
  server.listen(0, '127.0.0.1', () => console.error(`counts on http://127.0.0.1:${server.address().port}`));
  server.unref();
}
