/**
 * The rule against circles of folders in src. It is apart from the other rules, because dependency-cruiser takes every file of src itself for one
 * folder: main.ts imports config, config imports gateway, and every folder imports errors.ts. Without config there is no such circle.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment: 'folders must not import each other in a circle: what both need moves down',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '^config/' } },
};
