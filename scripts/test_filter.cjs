/** Tells jest which of the test files it found are in the selection of scripts/test.mjs. */
const { relative } = require('node:path');
const { root, selectTests } = require('./test_selection.cjs');

module.exports = paths => {
  const selected = new Set(selectTests(process.env.NETA_TEST_SELECTION));
  return { filtered: paths.filter(path => selected.has(relative(root, path))) };
};
