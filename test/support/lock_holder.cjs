/**
 * A process that holds the write lock of a database (first argument) until it is killed, or for the milliseconds of the
 * second argument. It prints a line once it has the lock.
 */
const { DatabaseSync } = require('node:sqlite');

const database = new DatabaseSync(process.argv[2]);
database.exec('pragma busy_timeout = 5000');
database.exec('begin immediate');
process.stdout.write('locked\n');
process.stdin.resume();
if (process.argv[3]) setTimeout(() => database.exec('commit'), Number(process.argv[3]));
