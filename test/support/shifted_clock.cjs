/** Loaded into a gateway by NODE_OPTIONS: its clock is ahead by the milliseconds in the file NETA_TEST_CLOCK_FILE. */
const { readFileSync } = require('node:fs');

const now = Date.now;
const file = process.env.NETA_TEST_CLOCK_FILE;
const ahead = () => {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
};
Date.now = () => now() + ahead();
